/** What a command of the program is given: no global, so that a test can run one. */
export type Terminal = {
  print: (text: string) => void;
  complain: (text: string) => void;
};

export type Command = {
  /** One line for the list of commands. */
  about: string;
  help: string;
  /** Answers the exit code. Throws a UsageError for a line that cannot be understood. */
  run: (line: string[], terminal: Terminal) => number;
};

/** The line that called the program is wrong. It ends with 2. */
export class UsageError extends Error {}

export const failed = 2;
