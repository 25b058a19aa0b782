import { UsageError } from "../lib/settings.ts";

/** The origin of a site that somebody named, such as `https://www.example.com`. */
export function readSite(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/") {
    throw new UsageError(`The site must look like https://www.example.com, not "${given}".`);
  }
  return url.origin;
}

/** How long a smoke test goes on trying, in milliseconds. */
export function readRetryFor(seconds: string): number {
  if (!/^\d{1,3}$/.test(seconds)) {
    throw new UsageError(`--patience takes whole seconds, up to 999, not "${seconds}".`);
  }
  return Number(seconds) * 1_000;
}

/** One line for each check on standard output; answers whether all went well. */
export function report(
  outcomes: readonly { promise: string; problem: string | undefined }[],
): boolean {
  for (const { promise, problem } of outcomes) {
    console.log(problem ? `✗ ${promise}: ${problem}` : `✓ ${promise}`);
  }
  return outcomes.every(({ problem }) => !problem);
}
