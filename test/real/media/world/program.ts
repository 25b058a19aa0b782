import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pollUntil } from "../../../support/site/poll.ts";

export interface Program extends AsyncDisposable {
  lines: string[];
  pid: number;
  write(text: string): void;
  /** Closes its input, and waits until it ended. */
  finish(): Promise<number | null>;
}

/** Starts a program, and waits until a line of it matches `ready`. It ends with SIGKILL: nothing of it is kept. */
export async function startProgram(
  [command = "", ...rest]: readonly string[],
  ready?: RegExp,
  environment: Record<string, string> = {},
): Promise<Program> {
  const child = spawn(command, rest, { env: { ...process.env, ...environment } });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (line) => lines.push(line));
  let ended = false;
  const exited = once(child, "exit").then(([code]: (number | null)[]) => {
    ended = true;
    return code ?? null;
  });
  child.stdin.on("error", () => undefined);
  if (ready) {
    await pollUntil(
      () => lines,
      () => ended || lines.some((line) => ready.test(line)),
      30_000,
    );
    if (ended) throw new Error(`${command} ${rest.join(" ")} ended:\n${lines.join("\n")}`);
  }
  return {
    lines,
    pid: child.pid ?? 0,
    write: (text) => void child.stdin.write(text),
    finish() {
      child.stdin.end();
      return exited;
    },
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGKILL");
      await exited;
    },
  };
}
