import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { asTyped, commands } from "../../support/commands/our-commands.ts";

const run = promisify(execFile);

type Outcome = { code: number; stdout: string; stderr: string };

/** Runs what npm runs, with nothing in the environment that a command could work with. */
async function called(words: readonly string[], ...given: string[]): Promise<Outcome> {
  const { PATH = "", HOME = "" } = process.env;
  const alone = ["-i", `PATH=${PATH}`, `HOME=${HOME}`, "PORT=1", "LOCAL_PORT_BASE=1"];
  try {
    const program = [...alone, process.execPath, ...words, ...given];
    const { stdout, stderr } = await run("env", program, { timeout: 60_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Outcome;
    return { code, stdout, stderr };
  }
}

/** What git sees of the folder. */
async function stateOfFolder(): Promise<string> {
  const { stdout } = await run("git", ["status", "--porcelain", "--ignored=no"]);
  return stdout;
}

test("--help says of every command what it is for, and does nothing", async () => {
  const before = await stateOfFolder();
  for (const [name, words] of commands) {
    const { code, stdout, stderr } = await called(words, "--help");
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: "" });
    expect(stdout, name).toContain(asTyped(name));
    expect(stdout.length, name).toBeGreaterThan(100);
  }
  expect(await stateOfFolder()).toBe(before);
});

test("an option that there is not is refused by every command before it does anything", async () => {
  const before = await stateOfFolder();
  for (const [name, words] of commands) {
    const { code, stdout, stderr } = await called(words, "--no-such-option");
    expect({ name, code, stdout }).toEqual({ name, code: 2, stdout: "" });
    expect(stderr, name).toMatch(/^Unknown option '--(no-)?such-option'/);
  }
  expect(await stateOfFolder()).toBe(before);
});
