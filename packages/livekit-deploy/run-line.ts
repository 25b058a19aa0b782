import { applyCommand } from "./apply-command.ts";
import { auditCommand } from "./audit-command.ts";
import { type Command, exitCodes, Failure, type Terminal, UsageError } from "./command.ts";
import { diffCommand } from "./diff-command.ts";
import { optionsCommand } from "./options-command.ts";
import { version } from "./package.json" with { type: "json" };
import { waitCommand } from "./wait-command.ts";

const commands: Readonly<Record<string, Command>> = {
  audit: auditCommand,
  options: optionsCommand,
  diff: diffCommand,
  apply: applyCommand,
  wait: waitCommand,
};

const list = Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(8)} ${about}`)
  .join("\n");

const usage = `Usage: livekit-deploy COMMAND [OPTIONS]

${list}

Ends with 0 when it is done or nothing is to be said, with 2 when the answer is
no (something found, something would change, not healthy in time), with 1 when
it failed, and with 130 when it was interrupted.

livekit-deploy COMMAND --help says more. --version prints the version.
`;

/** Runs the command of a line, and answers the exit code. */
export async function runLine(line: string[], terminal: Terminal): Promise<number> {
  const [name = "", ...rest] = line;
  if (name === "--help" || name === "-h") {
    terminal.print(usage);
    return exitCodes.done;
  }
  if (name === "--version") {
    terminal.print(`${version}\n`);
    return exitCodes.done;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    terminal.complain(`${name ? `There is no command ${name}.` : "Name a command."}\n\n${usage}`);
    return exitCodes.failed;
  }
  if (rest.some((word) => word === "--help" || word === "-h")) {
    terminal.print(command.help);
    return exitCodes.done;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (terminal.signal.aborted) {
      terminal.complain(`Interrupted. ${command.whenInterrupted}\n`);
      return exitCodes.interrupted;
    }
    if (!(error instanceof Failure)) throw error;
    terminal.complain(
      `${error.message}\n${error instanceof UsageError ? `\n${command.help}` : ""}`,
    );
    return exitCodes.failed;
  }
}
