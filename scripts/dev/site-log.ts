import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** The log of the last run, in the folder of its data: `npm run logs` reads it. */
export const logFile = "site.log";

/** Begins the log of a run. The answer writes a line of the site's output, if the Worker logged it. */
export function startLog(folder: string): (line: string) => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, logFile);
  writeFileSync(file, "");
  return (line) => {
    const entry = workerEntry(line);
    if (entry) appendFileSync(file, `${JSON.stringify({ time: new Date(), ...entry })}\n`);
  };
}

/**
 * What workerd says of a browser that closed a page, or its window, while an answer or a live message was on its way
 * to it. Nothing of the site failed: where a service hangs up on the Worker, the Worker logs that itself.
 */
const browserLeft =
  /kj::getCaughtExceptionAsKj\(\).*\bdisconnected: .*\b(?:Broken pipe|Connection reset by peer)\b/;

/**
 * Chooses what of the site's output a person sees without --verbose: errors that the Worker logs,
 * and what wrangler or Vite report as an error.
 */
export function isWorthShowing(line: string): boolean {
  const entry = workerEntry(line);
  if (entry) return entry.level === "error";
  const text = stripVTControlCharacters(line).trim();
  return /\[ERROR\]|^✘|\bUncaught\b/.test(text) && !browserLeft.test(text);
}

/** wrangler marks warnings and errors, and leaves other lines as they are. */
const wranglersMark = /^[▲✘] \[(?:WARNING|ERROR)\] /;

/** What the Worker logged with `app/platform/log/log.server.ts`. */
function workerEntry(line: string): { level: unknown } | undefined {
  const text = stripVTControlCharacters(line).trim().replace(wranglersMark, "");
  if (!text.startsWith("{")) return;
  try {
    const entry: unknown = JSON.parse(text);
    if (typeof entry === "object" && entry !== null && "level" in entry) return entry;
  } catch {
    return;
  }
}
