import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { PlainFailure } from "./terminal.mjs";

/** A mistake in how a command was called, or a setting that it misses. Ends it with exit code 2. */
export class UsageError extends Error {}

/**
 * Runs a command. Its failure is said as a person needs it, and is the exit code: 2 called wrongly, 1 anything else.
 * `mark` stands before the message of a plain failure.
 */
export async function runCommand(
  usage: string,
  work: () => Promise<unknown>,
  mark = "",
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isMistake = error instanceof UsageError;
    if (isMistake) console.error(`${error.message}\nUsage: ${usage}`);
    else console.error(error instanceof PlainFailure ? `${mark}${error.message}` : error);
    process.exitCode = isMistake ? 2 : 1;
  }
}

/** Looks a setting up; an empty one counts as missing. */
export type Settings = (name: string) => string | undefined;

/** Settings from the environment and, where that has none, from a dotenv file. */
export function readSettings(envFile: string | undefined): Settings {
  const fromFile = envFile === undefined ? {} : parse(envFile);
  return (name) => process.env[name] || fromFile[name] || undefined;
}

/** A setting that the command cannot do without. */
export function required(settings: Settings, name: string): string {
  const value = settings(name);
  if (value) return value;
  throw new UsageError(`${name} is missing. Set it, or name a file that has it: --env-file FILE`);
}

function parse(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--env-file ${file} cannot be read: ${reason}`);
  }
}
