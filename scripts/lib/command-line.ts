import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import { UsageError } from "./settings.ts";

/** An option of a command, with what `--help` says of it. `value` is the name of what it takes: `FILE`. */
type Option = ParseArgsOptionDescriptor & { help: string; value?: string };

export type Command<Options extends Record<string, Option> = Record<string, Option>> = {
  /** How it is called: `npm run logs -- [OPTIONS] REQUEST_ID`. */
  usage: string;
  /** What it does and changes, and how long that takes. */
  about: string;
  options?: Options;
  /** Whether it takes words that are no options. */
  takesWords?: boolean;
};

/**
 * Reads how a command was called, before it does anything. `--help` prints what it is for and ends the process with 0;
 * an option that there is not ends it with 2. Every command of package.json begins with this or with `helpOf`, but for
 * `npm run machine`, which has commands of its own.
 */
export function readCommandLine<const Options extends Record<string, Option>>(
  command: Command<Options>,
  given = process.argv.slice(2),
) {
  try {
    return parsedLine(command, given);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\nUsage: ${command.usage}`);
    return process.exit(2);
  }
}

function parsedLine<const Options extends Record<string, Option>>(
  command: Command<Options>,
  given: readonly string[],
) {
  if (asksForHelp(given)) {
    console.log(helpOf(command));
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: command.takesWords ?? false,
      options: command.options ?? ({} as Options),
    });
    return { values, words: positionals };
  } catch (error) {
    // Node goes on about dashes; its first sentence says what is wrong.
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(`${reason.replace(/\.$/, "")}.`);
  }
}

/** Whether `--help` or `-h` is among the arguments, before a `--`. */
export function asksForHelp(given: readonly string[]): boolean {
  const before = given.includes("--") ? given.slice(0, given.indexOf("--")) : given;
  return before.includes("--help") || before.includes("-h");
}

/** What `--help` prints. */
export function helpOf({ usage, about, options = {} }: Command): string {
  const rows = [
    ...Object.entries(options).map(([name, { value, help }]) => [
      `--${name}${value ? ` ${value}` : ""}`,
      help,
    ]),
    ["--help", "says this, and does nothing"],
  ] as const;
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  const lines = rows.map(([name = "", help]) => `  ${name.padEnd(width)}  ${help}`);
  return `${about}\n\nUsage: ${usage}\n\n${lines.join("\n")}`;
}
