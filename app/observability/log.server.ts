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

const address = /[^\s<>"'@]+@[^\s<>"'@]+/g;

/** The part of an unexpected error that is safe and useful in a log: providers quote addresses. */
export function describeError(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code, type } = error as { code?: unknown; type?: unknown };
  return {
    error: error.name,
    detail: error.message.slice(0, 300).replace(address, "(an address)"),
    code: typeof code === "string" ? code : undefined,
    type: typeof type === "string" ? type : undefined,
  };
}
