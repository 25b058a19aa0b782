import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { at, type Place } from "./places.ts";

export type Program = Awaited<ReturnType<typeof startProgram>>;

/** What has not come by then never comes: a fault that cannot be made must not hold up the next one. */
const waitMs = 30_000;

/** A program at a place that has said that it is ready; without a word it is ready at once. */
export async function startProgram(place: Place, command: readonly string[], word?: string) {
  const [program = "", ...rest] = [...at(place), ...command];
  const child: ChildProcess = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const waiting = new Set<(line?: string) => void>();
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue;
    createInterface({ input }).on("line", (line) => {
      lines.push(line);
      for (const each of waiting) each(line);
    });
  }
  const exit = once(child, "exit");
  void exit.then(() => {
    for (const each of waiting) each();
  });
  const problem = (what: string) => new Error([what, ...lines.slice(-20)].join("\n"));

  /** Waits for a line with the word. */
  async function says(wanted: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const hear = (line?: string) => {
      if (line?.includes(wanted)) resolve();
      if (line === undefined) reject(problem(`${program} ended without: ${wanted}`));
    };
    const late = setTimeout(() => reject(problem(`Nobody said: ${wanted}`)), waitMs);
    waiting.add(hear);
    if (lines.some((line) => line.includes(wanted))) resolve();
    try {
      await promise;
    } finally {
      clearTimeout(late);
      waiting.delete(hear);
    }
  }

  async function kill(): Promise<void> {
    child.kill("SIGKILL");
    await exit;
  }

  const started = {
    says,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Ends it at once. */
    kill,
    /** Waits until it has ended. */
    async ended(): Promise<void> {
      const { promise, reject } = Promise.withResolvers<never>();
      const late = setTimeout(() => reject(problem(`${program} does not end`)), waitMs);
      await Promise.race([exit, promise]);
      clearTimeout(late);
    },
  };
  if (!word) return started;
  try {
    await says(word);
  } catch (error) {
    await kill();
    throw error;
  }
  return started;
}
