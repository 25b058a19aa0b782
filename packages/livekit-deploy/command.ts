import { type ParseArgsConfig, parseArgs } from "node:util";

/** What a command of the program is given: no global, so that a test can run one. */
export type Terminal = {
  print: (text: string) => void;
  complain: (text: string) => void;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether what is printed may be coloured. */
  isColoured: boolean;
  /** Ends when somebody interrupts the program. */
  signal: AbortSignal;
  now: () => number;
  /** Waits; rejects when somebody interrupts. */
  pause: (ms: number) => Promise<void>;
};

export type Command = {
  /** One line for the list of commands. */
  about: string;
  help: string;
  /** What an interruption leaves, in a sentence. */
  whenInterrupted: string;
  /** Answers the exit code. Throws a UsageError for a line that cannot be understood. */
  run: (line: string[], terminal: Terminal) => number | Promise<number>;
};

/** What the program was asked for cannot be done: a sentence for whoever reads the log. It ends with `failed`. */
export class Failure extends Error {}

/** The line that called the program is wrong. */
export class UsageError extends Failure {}

/** How every command ends. */
export const exitCodes = {
  /** Done, or nothing to say. */
  done: 0,
  failed: 1,
  /** The answer is no: something was found, something would change, it is not healthy in time. */
  no: 2,
  /** As a shell says of a program that SIGINT ended. */
  interrupted: 130,
} as const;

/** The options and names of a line, as `parseArgs` of Node reads them. */
export function readLine<Config extends NonNullable<ParseArgsConfig["options"]>>(
  args: string[],
  options: Config,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id that an option names. The page of the thing has it in its address. */
export function idOf(option: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`Say which: ${option} ID.`);
  if (!idPattern.test(value)) throw new UsageError(`${option}: ${JSON.stringify(value)} is no id.`);
  return value;
}
