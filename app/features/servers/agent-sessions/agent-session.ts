// What a machine says of the sessions of LiveKit's agents, without speech: insights_summary.py of the bundle writes the lines.

/** What somebody said, or a tool that ran. Times in ms since 1970, lengths in ms. */
export type AgentEntry = {
  at: number;
  by: "user" | "agent" | "tool";
  /** The tool's name in the code of the agent. */
  name?: string;
  hasFailed?: true;
  /** Somebody spoke over the agent. */
  isCut?: true;
} & Partial<Record<LengthName, number>>;

/** `llm` and `tts`: until its first part came. `stt`: until the transcript was there. `reply`: from end of speech to speech. */
const lengthNames = ["took", "llm", "tts", "stt", "turn", "reply", "speech"] as const;
export type LengthName = (typeof lengthNames)[number];

export type AgentSession = {
  /** LiveKit's id of the job. */
  job: string;
  /** The sid of its room. */
  room: string;
  agent: string;
  sdk: string;
  startedAt: number;
  endedAt: number;
  /** LiveKit's word for why it closed; empty where the SDK does not say. */
  reason: string;
  /** How many errors of which part. */
  errors: Readonly<Record<string, number>>;
  usage: readonly { model: string; counts: Readonly<Record<string, number>> }[];
  entries: readonly AgentEntry[];
  /** So many entries more are on the machine. */
  omitted: number;
  hasAudio: boolean;
  /** The disk was too slow for the end of the recording. */
  isIncomplete: boolean;
};

/** `through`: the last number of the machine that the report covers. */
export type AgentBatch = { through: number; sessions: readonly AgentSession[] };

/** More sessions and entries of one report are not read; the machine sends no more. */
const maxSessions = 300;
const maxEntries = 300;

const jobId = /^AJ_[A-Za-z0-9]{4,40}$/;
const roomSid = /^RM_[A-Za-z0-9]{4,40}$/;
/** As insights_summary.py has them: no address of a mail and no telephone number is a name in code. */
const codeName = /^(?=.*[A-Za-z])\w[\w.-]{0,63}$/;
const modelName = /^(?=.*[A-Za-z])[A-Za-z0-9][\w.:/-]{0,63}(@[a-z0-9-]{1,20})?$/;
const version = /^\d{1,4}\.\d[\dA-Za-z.+-]{0,30}$/;
const whole = /^\d{1,15}$/;
const decimal = /^\d{1,15}(\.\d{1,3})?$/;

type Fields = Readonly<Record<string, string>>;
type Found = AgentSession & { entries: AgentEntry[]; usage: AgentSession["usage"][number][] };

/** Reads the lines of one report in their order. What no release of ours writes is left out, so that the rest is read. */
export class AgentReader {
  readonly #sessions: Found[] = [];
  #current: Found | undefined;

  read(kind: string, fields: readonly string[]): void {
    if (kind === "agent") this.#begin(fields);
    else if (!this.#current) return;
    else if (kind === "agent-usage") this.#addUsage(this.#current, named(fields));
    else if (kind === "agent-entry") this.#addEntry(this.#current, named(fields));
  }

  get sessions(): readonly AgentSession[] {
    return this.#sessions;
  }

  #begin([, job = "", room = "", ...fields]: readonly string[]): void {
    this.#current = undefined;
    if (!jobId.test(job) || this.#sessions.length >= maxSessions) return;
    const of = named(fields);
    const errors = Object.entries(of).flatMap(([name, value]) =>
      /^errors-[a-z]{1,20}$/.test(name) && whole.test(value)
        ? [[name.slice("errors-".length), Number(value)] as const]
        : [],
    );
    this.#current = {
      ...{ job, room: roomSid.test(room) ? room : "" },
      ...{ agent: matching(codeName, of.agent), sdk: matching(version, of.sdk) },
      ...{ startedAt: wholeOf(of.started), endedAt: wholeOf(of.ended) },
      reason: matching(/^CR_[A-Z_]{1,40}$/, of.reason),
      errors: Object.fromEntries(errors),
      ...{ usage: [], entries: [], omitted: wholeOf(of.omitted) },
      ...{ hasAudio: of.audio === "1", isIncomplete: of.cut === "1" },
    };
    this.#sessions.push(this.#current);
  }

  #addUsage({ usage }: Found, { model, ...of }: Fields): void {
    const counts = Object.entries(of).filter(
      ([name, value]) => /^[a-z_]{1,40}$/.test(name) && decimal.test(value),
    );
    if (usage.length >= 20 || counts.length === 0) return;
    usage.push({
      model: matching(modelName, model),
      counts: Object.fromEntries(counts.map(([name, value]) => [name, Number(value)])),
    });
  }

  #addEntry({ entries }: Found, of: Fields): void {
    const { by } = of;
    if (by !== "user" && by !== "agent" && by !== "tool") return;
    if (entries.length >= maxEntries || !whole.test(of.at ?? "")) return;
    const lengths = lengthNames.flatMap((name) => {
      const value = of[name] ?? "";
      return whole.test(value) ? [[name, Number(value)] as const] : [];
    });
    const name = matching(codeName, of.name);
    entries.push({
      ...{ at: wholeOf(of.at), by },
      ...(name ? { name } : {}),
      ...(of.failed === "1" ? { hasFailed: true as const } : {}),
      ...(of.cut === "1" ? { isCut: true as const } : {}),
      ...Object.fromEntries(lengths),
    });
  }
}

const named = (fields: readonly string[]): Fields =>
  Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf("=");
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
const matching = (pattern: RegExp, value = ""): string => (pattern.test(value) ? value : "");
const wholeOf = (value = ""): number => (whole.test(value) ? Number(value) : 0);
