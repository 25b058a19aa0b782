import { AsyncLocalStorage } from "node:async_hooks";
import { maskedMessage } from "./masked-message.server";

/** A caller must not add `requestId`: every line has it already. */
type Fields = Record<string, string | number | boolean | null | undefined> & { requestId?: never };

const currentRequestId = new AsyncLocalStorage<string>();

/** Runs `work` so that every line logged during it, by any module, has this `requestId`. */
export function withRequestId<Result>(requestId: string, work: () => Result): Result {
  return currentRequestId.run(requestId, work);
}

function write(level: "info" | "warn" | "error", message: string, fields: Fields): void {
  const requestId = currentRequestId.getStore();
  console[level](JSON.stringify({ level, message, requestId, ...fields }));
}

/** Structured log lines. Callers pass ids and codes, never secrets, tokens, addresses or bodies. */
export const log = {
  info: (message: string, fields: Fields = {}) => write("info", message, fields),
  warn: (message: string, fields: Fields = {}) => write("warn", message, fields),
  error: (message: string, fields: Fields = {}) => write("error", message, fields),
};

/** An error code of PostgreSQL or of PostgREST. */
const databaseCode = /^(?:[0-9A-Z]{5}|PGRST\w+)$/;

/**
 * The part of an unexpected error that is safe and useful in a log: its name, message, codes and
 * stack. `providerRequestId` is Stripe's own id of the call, which its dashboard and support know.
 */
export function describeError(error: unknown): Fields {
  if (typeof error !== "object") return { error: typeof error };
  if (error === null) return { error: "null" };
  const { name, code, type, message, hint, status, statusCode, requestId, stack } = error as Record<
    string,
    unknown
  >;
  // The database's errors are plain objects, whose other fields quote rows.
  const isPlain = typeof name !== "string";
  const ofDatabase = isPlain || databaseCode.test(textOf(code) ?? "");
  const masked = (text: unknown) =>
    typeof text === "string" && text !== "" ? maskedMessage(text, { ofDatabase }) : undefined;
  return {
    error: isPlain ? "DatabaseError" : name,
    detail: typeof message === "string" ? maskedMessage(message, { ofDatabase }) : undefined,
    code: textOf(code),
    type: textOf(type),
    hint: masked(hint),
    status: numberOf(statusCode) ?? numberOf(status),
    providerRequestId: typeof requestId === "string" ? requestId : undefined,
    stack: typeof stack === "string" ? sourceFrames(stack, textOf(message) ?? "") : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

const plainSegment = /^[a-z][a-z-]{0,30}(\.data|\.zip)?$/;

/**
 * The path of a request for the log. A segment that is not a plain word becomes `:id`, because it may be an id or
 * personal; the name of a workspace always does.
 */
export function routeOf(request: Request): string {
  const { pathname } = new URL(request.url);
  const segments = pathname
    .replace(/^(\/dashboard\/w)\/[^/]+/, "$1/1")
    .split("/")
    .slice(1, 6);
  return `/${segments.map((each) => (each === "" || plainSegment.test(each) ? each : ":id")).join("/")}`;
}

/** A frame of V8: `at name (file:line:column)`, or without a name `at file:line:column`. */
const frame = /^\s*at (?:(?<name>.+) \()?(?<file>\S+?):(?<line>\d+):(?<column>\d+)\)?$/;

const plainName = /^(?:async |new )*[\w$.<>#[\] ]{1,80}$/;
const plainFile = /^[\w@.+/-]{1,200}\.[cm]?[jt]sx?$/;

const maxFrames = 20;

/**
 * Where an error came from: the frames of its stack, one a line. The stack begins with the message,
 * which quotes people, so that is left out. A name or a file that does not look like one of
 * a program's is left out too, and so is the query of a file's address.
 */
function sourceFrames(stack: string, message: string): string | undefined {
  const begin = stack.indexOf(message);
  const trace = begin < 0 ? stack : stack.slice(begin + message.length);
  const frames = trace.split("\n").flatMap((line) => {
    const { name, file = "", line: row, column } = frame.exec(line)?.groups ?? {};
    if (!row) return [];
    const place = `${plain(file)}:${row}:${column}`;
    return name !== undefined && plainName.test(name) ? `at ${name} (${place})` : `at ${place}`;
  });
  return frames.slice(0, maxFrames).join("\n") || undefined;
}

/** The path of a file, without the folder of the build, as `npm run logs` finds its source map. */
function plain(file: string): string {
  const path = file
    .replace(/[?#].*$/, "")
    .replace(/^(?:file|https?):\/\//, "")
    .replace(/^.*\/build\/server\//, "");
  return plainFile.test(path) ? path : "unknown";
}
