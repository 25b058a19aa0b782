import { execFile } from "node:child_process";
import { resolve } from "node:path";

/** Runs one of our commands as its npm script does: its exit code, its output, and what it wrote to standard error. */
export function runCommand(
  script: string,
  args: readonly string[],
  { cwd = ".", environment = {} }: { cwd?: string; environment?: Record<string, string> } = {},
): Promise<{ code: number; output: string; complaint: string }> {
  return new Promise((settled) => {
    execFile(
      process.execPath,
      ["--", resolve(script), ...args],
      { cwd, env: { ...process.env, ...environment } },
      (error, output, complaint) =>
        settled({ code: typeof error?.code === "number" ? error.code : 0, output, complaint }),
    );
  });
}
