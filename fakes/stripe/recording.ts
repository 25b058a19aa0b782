import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** A request as it came over the wire, how it was answered, and what was said where it was refused. */
type RecordedRequest = {
  kind: "request";
  method: string;
  /** The endpoint's path, `:id` for an id; the path itself where there is no such endpoint. */
  pattern: string;
  /** Path and query. */
  url: string;
  body: string;
  /** The header Stripe-Version; null without one. */
  version: string | null;
  /** Null where the connection was refused on purpose. */
  status: number | null;
  refusal: string | null;
};

/** An answer or a refusal. Of a list each element is recorded by itself, in a list of one. */
type RecordedAnswer = {
  kind: "answer";
  method: string;
  pattern: string;
  refused: boolean;
  answer: unknown;
};

/** An event as webhook endpoints get it. */
type RecordedEvent = { kind: "event"; event: unknown };

export type Recorded = RecordedRequest | RecordedAnswer | RecordedEvent;

type Exchange = Omit<RecordedRequest, "kind" | "refusal"> & { text: string };

const folder = process.env.STRIPE_RECORDING;
const recordedPairs = new Set<string>();

/** Whether exchanges are recorded: into files of the folder that STRIPE_RECORDING names, one for each process. */
export const isRecording = Boolean(folder);

/** Records a request and its answer, unless one of the same form was recorded before. */
export function recordExchange({ text, ...request }: Exchange): void {
  const { method, pattern, status } = request;
  const answer = parsed(text);
  const refusal = refusalIn(answer);
  write({ kind: "request", ...request, refusal });
  const refused = status !== 200;
  for (const each of answer === undefined ? [] : inListsOfOne(answer))
    write({ kind: "answer", method, pattern, refused, answer: each });
}

/** Records an event, unless one of the same form was recorded before. */
export function recordEvent(event: object): void {
  if (isRecording) write({ kind: "event", event });
}

function write(recorded: Recorded): void {
  if (!folder) return;
  const line = JSON.stringify(recorded, (name, value) => (isSecret(name) ? "hidden" : value));
  const form = formOf(recorded);
  if (recordedPairs.has(form)) return;
  if (recordedPairs.size === 0) mkdirSync(folder, { recursive: true });
  recordedPairs.add(form);
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
}

function isSecret(name: string): boolean {
  return name === "secret" || name === "client_secret";
}

/**
 * The form of an exchange or event, without ids, times, addresses and texts. Of two with the same form only one is
 * recorded.
 */
export function formOf(recorded: Recorded): string {
  if (recorded.kind !== "request")
    return JSON.stringify(recorded, (_, value: unknown) =>
      typeof value === "string" ? wordOf(value) : typeof value === "number" ? 0 : value,
    );
  const { method, pattern, url, body, version, status, refusal } = recorded;
  const given = [new URL(url, "http://fake").search.slice(1), body].filter(Boolean).join("&");
  const params = [...new URLSearchParams(given)].map(
    ([name, value]) => `${withoutIds(name)}=${/^-?\d+$/.test(value) ? 0 : wordOf(value)}`,
  );
  return [method, pattern, version, status, refusal && withoutIds(refusal), ...params].join("\n");
}

/** Only short words are kept, because they may be values of a closed list. */
function wordOf(text: string): string {
  const stable = withoutIds(text);
  return text === "" || /^[\w.*-]{1,50}$/.test(stable) ? stable : "text";
}

function withoutIds(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "uuid")
    .replace(/\b[0-9a-f]{16,}\b/g, "digest")
    .replace(/\b([a-z]{2,7})(?:_test|_live)?_[A-Za-z0-9]{8,}/g, "$1_id")
    .replace(/\b[A-Z][A-Z0-9]{6,}\b/g, "PREFIX")
    .replace(/\d+/g, "0");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusalIn(answer: unknown): string | null {
  if (!isGroup(answer) || !isGroup(answer.error)) return null;
  return String(answer.error.message);
}

function inListsOfOne(answer: unknown): unknown[] {
  if (!isGroup(answer) || answer.object !== "list" || !Array.isArray(answer.data)) return [answer];
  const { data } = answer;
  return data.length === 0 ? [answer] : data.map((each) => ({ ...answer, data: [each] }));
}
