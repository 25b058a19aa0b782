/**
 * Logs what failed unexpectedly, with `more` fields. Neither names of servers nor what they report get into the log.
 */
export function logFailure(
  message: string,
  thrown: unknown,
  more: Readonly<Record<string, string>> = {},
): void {
  const { name, message: error } = thrown instanceof Error ? thrown : new Error(String(thrown));
  console.error(JSON.stringify({ level: "error", message, ...more, name, error }));
}
