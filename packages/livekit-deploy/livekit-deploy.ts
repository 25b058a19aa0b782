import { auditCommand } from "./audit-command.ts";
import { type Command, failed, type Terminal, UsageError } from "./command.ts";
import { version } from "./package.json" with { type: "json" };

const commands: Readonly<Record<string, Command>> = { audit: auditCommand };

const list = Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(8)} ${about}`)
  .join("\n");

const usage = `Usage: livekit-deploy COMMAND [OPTIONS]

${list}

livekit-deploy COMMAND --help says more. --version prints the version.
`;

/** Runs the command of a line, and answers the exit code. */
export function runLine(line: string[], terminal: Terminal): number {
  const [name = "", ...rest] = line;
  if (name === "--help" || name === "-h") {
    terminal.print(usage);
    return 0;
  }
  if (name === "--version") {
    terminal.print(`${version}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    terminal.complain(`${name ? `There is no command ${name}.` : "Name a command."}\n\n${usage}`);
    return failed;
  }
  try {
    return command.run(rest, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.complain(`${error.message}\n\n${command.help}`);
    return failed;
  }
}

process.exitCode = runLine(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
