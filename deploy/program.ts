import { spawn } from "node:child_process";

/**
 * Runs a program on this same Node, with our terminal as its own, and answers its exit code.
 * Ctrl-C reaches it by itself; we wait for it to end.
 */
export function runNode(script: string, parameters: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...parameters], { stdio: "inherit" });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
