import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** A mistake in how a command was called, or a setting that it misses. Ends it with exit code 2. */
export class UsageError extends Error {}

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
