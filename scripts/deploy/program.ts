import { spawn } from "node:child_process";

type Options = {
  /** What the program finds in its environment besides ours. */
  environment?: Record<string, string>;
  /** Whether it may ask questions. Without a terminal wrangler takes its own defaults. */
  mayAsk?: boolean;
};

/**
 * Runs a program on this same Node, with our terminal as its own, and answers its exit code.
 * Ctrl-C reaches it by itself; we wait for it to end.
 */
export function runNode(
  script: string,
  parameters: readonly string[],
  { environment = {}, mayAsk = true }: Options = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...parameters], {
      stdio: [mayAsk ? "inherit" : "ignore", "inherit", "inherit"],
      env: { ...process.env, ...environment },
    });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** The same, for what a program prints: nothing of it reaches the terminal. */
export function readNode(
  script: string,
  parameters: readonly string[],
): Promise<{ code: number; output: string; complaint: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...parameters], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let complaint = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output, complaint }));
  });
}
