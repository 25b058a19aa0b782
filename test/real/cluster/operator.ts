import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Deployment, filesOf } from "../media/machine/machine.ts";
import { outcomeOf } from "../media/world/commands.ts";
import type { World } from "../media/world/world.ts";
import { hostOf, type Machines } from "./machines.ts";

/** The owner's own computer, with the zip. */
export function makeOperator(world: World, deployment: Deployment, machines: Machines) {
  const folder = mkdtempSync(join(world.folder, "operator-"));
  for (const { path, content } of filesOf(deployment).filter(({ path }) => path === "cluster.sh"))
    writeFileSync(join(folder, path), content);
  mkdirSync(join(folder, "commands"));
  // It gives the words to a shell there, as ssh does, and as root, who needs no sudo.
  const leads = [...machines].map(
    ([number, { enter }]) => `${hostOf(number)}) set -- ${enter.join(" ")} sh -c "$*" ;;\n`,
  );
  const ssh = `#!/bin/sh
while [ "$1" != "\${1#-}" ]; do shift 2; done
host=\${1#*@}
shift
case $host in
${leads.join("")}*) echo "ssh: connect to host $host port 22: Connection refused" >&2 && exit 255 ;;
esac
exec "$@"
`;
  writeFileSync(join(folder, "commands/ssh"), ssh);
  chmodSync(join(folder, "commands/ssh"), 0o755);
  const run = (...args: string[]) =>
    outcomeOf(["sh", join(folder, "cluster.sh"), ...args], {
      environment: { PATH: `${join(folder, "commands")}:${process.env.PATH}` },
    });
  return {
    /** Runs cluster.sh. */
    run,
    async done(...args: string[]): Promise<string> {
      const { status, output } = await run(...args);
      if (status !== 0)
        throw new Error(`cluster.sh ${args.join(" ")} ended with ${status}:\n${output}`);
      return output;
    },
    /** Everything that is stored on that computer. */
    stored: () =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => readFileSync(join(folder, name), "utf8"))
        .join("\n"),
  };
}
