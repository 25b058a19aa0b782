import { execFile } from "node:child_process";
import { promisify } from "node:util";

export type Load = {
  url: string;
  seconds: number;
  /** How many requests are under way at a time. */
  connections: number;
  /** The Cookie header. */
  cookie?: string;
};

/** Requests per second, milliseconds that half and 99 of 100 of them took at most. */
export type Measured = { requests: number; requestsPerSecond: number; p50: number; p99: number };

const run = promisify(execFile);

/** Asks an address on this machine for some seconds, with wrk. Throws when an answer is an error. */
export async function load({ url, seconds, connections, cookie }: Load): Promise<Measured> {
  if (new URL(url).hostname !== "127.0.0.1") throw new Error("Load goes to this machine only");
  const header = cookie ? ["-H", `Cookie: ${cookie}`] : [];
  const settings = ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "--timeout", "10s"];
  const { stdout } = await run("wrk", [...settings, ...header, url]).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error("The benchmark needs wrk (Debian: apt-get install wrk)");
  });
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} answers errors:\n${stdout}`);
  const find = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? "NaN";
  return {
    requests: Number(find(/(\d+) requests in/)),
    requestsPerSecond: Math.round(Number(find(/Requests\/sec:\s+([\d.]+)/))),
    p50: milliseconds(find(/^\s+50%\s+(\S+)$/m)),
    p99: milliseconds(find(/^\s+99%\s+(\S+)$/m)),
  };
}

/** Milliseconds from wrk's `850.00us`, `1.20ms` or `1.05s`. */
function milliseconds(text: string): number {
  const value = Number.parseFloat(text);
  if (text.endsWith("us")) return value / 1_000;
  return text.endsWith("ms") ? value : value * 1_000;
}
