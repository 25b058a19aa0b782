import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

const maxLines = 40;
const endTimeoutMs = 2000;
const lastLinesMs = 300;

export interface Child {
  /** Resolves with the exit code, or null when a signal ended it. */
  exited: Promise<number | null>;
  /** The last lines that it printed. */
  lastLines(): string[];
  /** Ends it and everything it started. */
  end(): Promise<void>;
}

/**
 * Starts a program on this same Node in a process group of its own, so that ending it also ends
 * what it starts (wrangler starts workerd). Its output goes to `onLine` only.
 */
export function startNodeProgram(
  script: string,
  options: {
    arguments: string[];
    environment?: Record<string, string>;
    onLine?: (line: string) => void;
  },
): Child {
  const child = spawn(process.execPath, [script, ...options.arguments], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.environment },
  });
  const lines: string[] = [];
  const take = (line: string) => {
    lines.push(stripVTControlCharacters(line));
    if (lines.length > maxLines) lines.shift();
    options.onLine?.(line);
  };
  createInterface({ input: child.stdout }).on("line", take);
  createInterface({ input: child.stderr }).on("line", take);
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
    // Programs that it started may keep its output open after it ended, and then "close" never comes. Its last
    // lines may still be on their way, so they get this long.
    child.once("exit", (code) => setTimeout(resolve, lastLinesMs, code).unref());
  });

  function signalGroup(signal: NodeJS.Signals): boolean {
    if (child.pid === undefined) return false;
    try {
      return process.kill(-child.pid, signal);
    } catch {
      return false;
    }
  }

  return {
    exited,
    lastLines: () => [...lines],
    async end() {
      if (!signalGroup("SIGTERM")) return;
      const timer = setTimeout(() => signalGroup("SIGKILL"), endTimeoutMs);
      await exited.catch(() => null);
      clearTimeout(timer);
      // A grandchild may outlive the child that was asked to end.
      signalGroup("SIGKILL");
    },
  };
}
