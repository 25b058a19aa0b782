import { spawnSync } from "node:child_process";

/** No settings of whoever runs it, and no question to anybody. */
const environment = {
  ...process.env,
  TF_CLI_CONFIG_FILE: "/dev/null",
  TF_IN_AUTOMATION: "1",
  CHECKPOINT_DISABLE: "1",
};

/** What a program printed; empty where there is none of that name. */
export function output(program: string, words: readonly string[]): string {
  return spawnSync(program, words, { encoding: "utf8", env: environment }).stdout ?? "";
}

/** Runs it in a folder, and for a provider with what lets it in. */
export function run(
  program: string,
  folder: string,
  words: readonly string[],
  { input = "", login = {} }: { input?: string; login?: Record<string, string> } = {},
) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    env: { ...environment, ...login },
    input,
    maxBuffer: 256 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}
