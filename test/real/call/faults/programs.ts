import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { at, type Place } from "./network.ts";

export type Program = {
  signal(name: NodeJS.Signals): void;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Waits until it has ended. */
  ended: Promise<unknown>;
};

/** A program at a place that has said that it is ready; without a word it is ready at once. */
export async function startProgram(
  place: Place,
  command: readonly string[],
  word?: string,
): Promise<Program> {
  const [program = "", ...rest] = [...at(place), ...command];
  const child: ChildProcess = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue;
    createInterface({ input }).on("line", (line) => {
      lines.push(line);
      if (word && line.includes(word)) resolve();
    });
  }
  void ended.then(() => reject(new Error(lines.slice(-20).join("\n"))));
  if (!word) resolve();
  await promise;
  return {
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
}
