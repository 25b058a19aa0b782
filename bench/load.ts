import { spawnSync } from "node:child_process";

export type Measured = { requestsPerSecond: number; p50: number; p99: number };

/** Milliseconds from wrk's `850.00us`, `1.20ms` or `1.05s`. */
function milliseconds(text: string): number {
  const value = Number.parseFloat(text);
  if (text.endsWith("us")) return value / 1_000;
  return text.endsWith("ms") ? value : value * 1_000;
}

/** Asks an address on this machine for some seconds, with wrk. Throws when an answer is an error. */
export function load(url: string, seconds: number): Measured {
  if (new URL(url).hostname !== "127.0.0.1") throw new Error("Load goes to this machine only");
  const run = spawnSync("wrk", ["-t1", "-c32", `-d${seconds}s`, "--latency", url], {
    encoding: "utf8",
  });
  if (run.error) {
    throw new Error("The benchmark needs wrk (Debian: apt-get install wrk)");
  }
  if (/Non-2xx/.test(run.stdout)) throw new Error(`${url} answers errors:\n${run.stdout}`);
  const find = (pattern: RegExp) => pattern.exec(run.stdout)?.[1] ?? "NaN";
  return {
    requestsPerSecond: Math.round(Number(find(/Requests\/sec:\s+([\d.]+)/))),
    p50: milliseconds(find(/50%\s+(\S+)/)),
    p99: milliseconds(find(/99%\s+(\S+)/)),
  };
}

/** The median of several measurements, by requests per second. */
export function median(measurements: readonly Measured[]): Measured {
  const sorted = measurements.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("Nothing was measured");
  return middle;
}
