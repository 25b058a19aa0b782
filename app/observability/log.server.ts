import { maskedMessage } from "./masked-message.server";

type Fields = Record<string, string | number | boolean | null | undefined>;

function write(level: "info" | "warn" | "error", message: string, fields: Fields): void {
  console[level](JSON.stringify({ level, message, ...fields }));
}

/** Structured log lines. Callers pass ids and codes, never secrets, tokens, addresses or bodies. */
export const log = {
  info: (message: string, fields: Fields = {}) => write("info", message, fields),
  warn: (message: string, fields: Fields = {}) => write("warn", message, fields),
  error: (message: string, fields: Fields = {}) => write("error", message, fields),
};

/** Codes of PostgreSQL and of its REST side. */
const databaseCode = /^(?:[0-9A-Z]{5}|PGRST\w+)$/;

/** The part of an unexpected error that is safe and useful in a log. */
export function describeError(error: unknown): Fields {
  if (typeof error !== "object" || error === null) return { error: typeof error };
  const { name, code, type, message } = error as Record<string, unknown>;
  // The database's errors are plain objects, whose other fields quote rows.
  const isPlain = typeof name !== "string";
  const ofDatabase = isPlain || databaseCode.test(textOf(code) ?? "");
  return {
    error: isPlain ? "DatabaseError" : name,
    detail: typeof message === "string" ? maskedMessage(message, { ofDatabase }) : undefined,
    code: textOf(code),
    type: textOf(type),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

const plainSegment = /^[a-z][a-z-]{0,30}(\.data|\.zip)?$/;

/** The path of a request without the ids in it, and without whatever else somebody put there. */
export function routeOf(request: Request): string {
  const segments = new URL(request.url).pathname.split("/").slice(1, 6);
  return `/${segments.map((each) => (each === "" || plainSegment.test(each) ? each : ":id")).join("/")}`;
}
