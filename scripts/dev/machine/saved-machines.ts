import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { defaultPortBase } from "../../../fakes/dev-vars.ts";
import { localFolder } from "../../lib/local-folder.ts";
import { portFromEnvironment } from "../../lib/ports.ts";
import { PlainFailure } from "../../lib/terminal.mjs";

const identity = z.object({
  name: z.string(),
  domain: z.string(),
  consoleUrl: z.string(),
  packages: z.array(z.string()),
  machineId: z.string(),
  instance: z.string(),
});

/** What a machine is, besides its files: it stays the same from one start to the next. */
export type Identity = z.infer<typeof identity>;

/** Where the machines are. */
function machinesFolder(): string {
  return resolve(localFolder(portFromEnvironment("LOCAL_PORT_BASE", defaultPortBase)), "machines");
}

export const folderOf = (name: string): string => join(machinesFolder(), name);
const identityFile = (name: string): string => join(folderOf(name), "machine.json");

/** The names of all machines, the one that ran last first. */
export function machineNames(): string[] {
  if (!existsSync(machinesFolder())) return [];
  return readdirSync(machinesFolder())
    .filter((name) => existsSync(identityFile(name)))
    .map((name) => ({ name, at: statSync(identityFile(name)).mtimeMs }))
    .sort((one, other) => other.at - one.at)
    .map(({ name }) => name);
}

/** A name that no machine has. */
export function freeName(): string {
  for (let number = 1; ; number += 1) {
    if (!existsSync(folderOf(`machine-${number}`))) return `machine-${number}`;
  }
}

export function readIdentity(name: string): Identity {
  if (!existsSync(identityFile(name))) {
    const names = machineNames();
    throw new PlainFailure(
      `There is no machine ${name}. ${names.length > 0 ? `There are: ${names.join(", ")}.` : "There is none yet."}`,
    );
  }
  return identity.parse(JSON.parse(readFileSync(identityFile(name), "utf8")));
}

export function keepIdentity(machine: Identity): void {
  mkdirSync(folderOf(machine.name), { recursive: true });
  writeFileSync(identityFile(machine.name), JSON.stringify(machine, null, 2));
}

/** Takes a machine for this process; fails while another has it. */
export function takeMachine(name: string): void {
  const other = runningProcess(name);
  if (other !== undefined && other !== process.pid) {
    throw new PlainFailure(`${name} runs already, in another terminal (process ${other}).`);
  }
  writeFileSync(join(folderOf(name), "pid"), String(process.pid));
}

/** The process that runs a machine, if it does. */
export function runningProcess(name: string): number | undefined {
  const file = join(folderOf(name), "pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8"));
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return;
  }
}
