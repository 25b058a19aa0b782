/** Logs what failed unexpectedly. Neither names of servers nor what they report get into the log. */
export function logFailure(message: string, thrown: unknown): void {
  const { name, message: error } = thrown instanceof Error ? thrown : new Error(String(thrown));
  console.error(JSON.stringify({ level: "error", message, name, error }));
}
