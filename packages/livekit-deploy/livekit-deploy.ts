import { setTimeout } from "node:timers/promises";
import type { Terminal } from "./command.ts";
import { runLine } from "./run-line.ts";

const interruption = new AbortController();
const { stdout, stderr, env } = process;

// Once: who interrupts a second time does not want to wait for anything.
process.once("SIGINT", () => interruption.abort());
// Whoever reads only the beginning, as `head` does, has seen enough.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const terminal: Terminal = {
  print: (text) => stdout.write(text),
  complain: (text) => stderr.write(text),
  environment: env,
  isColoured: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
  signal: interruption.signal,
  now: Date.now,
  pause: (ms) => setTimeout(ms, undefined, { signal: interruption.signal }),
};

process.exitCode = await runLine(process.argv.slice(2), terminal);
