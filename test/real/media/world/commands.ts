import { execFile, spawnSync } from "node:child_process";

export type CommandResult = { status: number; output: string };

/** Runs a program to its end, and answers how it ended. */
export function outcomeOf(
  [program = "", ...rest]: readonly string[],
  { input, environment }: { input?: string; environment?: Record<string, string> } = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      rest,
      { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...environment } },
      (error, stdout, stderr) => {
        const status = error ? error.code : 0;
        if (typeof status !== "number") reject(new Error(`${program}: ${error?.message}`));
        else resolve({ status, output: stdout + stderr });
      },
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input ?? "");
  });
}

/** Runs a short program now and answers what it said. Throws when it fails. */
export function ran(command: string | readonly string[], input?: string): string {
  const [program = "", ...rest] = typeof command === "string" ? command.split(" ") : command;
  const { status, stdout, stderr, error } = spawnSync(program, rest, { input, encoding: "utf8" });
  if (status !== 0)
    throw new Error(`${program} ${rest.join(" ")}: ${error?.message ?? ""}${stderr}${stdout}`);
  return stdout;
}
