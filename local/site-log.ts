import { stripVTControlCharacters } from "node:util";

/**
 * Chooses what of the site's output a person sees without --verbose: errors that the Worker logs,
 * and what wrangler or Vite report as an error.
 */
export function isWorthShowing(line: string): boolean {
  const text = stripVTControlCharacters(line).trim();
  if (text.startsWith("{")) {
    try {
      const entry: unknown = JSON.parse(text);
      return (
        typeof entry === "object" && entry !== null && "level" in entry && entry.level === "error"
      );
    } catch {
      return false;
    }
  }
  return /\[ERROR\]|^✘|\bUncaught\b/.test(text);
}
