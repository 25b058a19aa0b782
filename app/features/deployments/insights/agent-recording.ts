import * as z from "zod/mini";

// What the receiver on the customer's server answers: insights_store.py of the bundle. Each part may be missing or odd, since
// an agent of any version wrote it; it is read as far as it can be.

const texts = z.union([z.string(), z.object({ text: z.string() })]);
const item = z.looseObject({
  type: z.string(),
  role: z.optional(z.string()),
  content: z.optional(z.array(z.unknown())),
  name: z.optional(z.string()),
  arguments: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  is_error: z.optional(z.boolean()),
  created_at: z.optional(z.union([z.number(), z.string()])),
});
const log = z.object({
  at: z.number(),
  severity: z.string(),
  logger: z.string(),
  body: z.string(),
});
const recording = z.object({
  room_name: z.string(),
  audio: z.number(),
  talk: z.array(z.unknown()),
  logs: z.array(z.unknown()),
});

/** One line of a talk. `at`: ms since 1970, undefined where the SDK does not say. */
export type TalkLine = { at?: number; who: string; text: string; isFailure?: true };
export type LogLine = z.infer<typeof log>;
export type AgentRecording = {
  room: string;
  hasAudio: boolean;
  talk: TalkLine[];
  logs: LogLine[];
};

/** Undefined for what no receiver of ours answers. */
export function readRecording(answer: unknown): AgentRecording | undefined {
  const read = recording.safeParse(answer);
  if (!read.success) return;
  const { room_name, audio, talk, logs } = read.data;
  return {
    ...{ room: room_name, hasAudio: audio > 0 },
    talk: talk.flatMap((each) => lineOf(each) ?? []),
    logs: logs.flatMap((each) => log.safeParse(each).data ?? []),
  };
}

function lineOf(each: unknown): TalkLine | undefined {
  const { data } = item.safeParse(each);
  if (!data) return;
  const at = momentOf(data.created_at);
  const when = at === undefined ? {} : { at };
  if (data.type === "message") {
    const text = (data.content ?? []).map(textOf).filter(Boolean).join(" ");
    const role = (data.role ?? "").toLowerCase();
    const who = role === "user" ? "Caller" : role === "assistant" ? "Agent" : "Instructions";
    return text ? { ...when, who, text } : undefined;
  }
  if (data.type === "function_call") {
    return { ...when, who: `Tool ${data.name ?? ""}`.trim(), text: shown(data.arguments) };
  }
  if (data.type === "function_call_output") {
    const failure = data.is_error ? { isFailure: true as const } : {};
    return { ...when, who: "Its answer", text: shown(data.output), ...failure };
  }
}

function textOf(part: unknown): string {
  const { data } = texts.safeParse(part);
  return typeof data === "object" ? data.text : (data ?? "");
}

const shown = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Python writes seconds, JavaScript's logs texts. */
function momentOf(at: number | string | undefined): number | undefined {
  const ms = typeof at === "string" ? Date.parse(at) : (at ?? Number.NaN) * 1_000;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
