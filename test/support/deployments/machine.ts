import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import type { Connection } from "../../../app/features/deployments/bundle/bundle-types.ts";
import { bundle } from "./bundle.ts";
import { optionsFrom } from "./bundle-cases.ts";
import { machineCommands } from "./machine-commands.ts";

type CommandResult = { status: number; said: string };

/** A machine in a folder: the files of a bundle where cloud-init puts them, and fakes for its commands. */
export function machine(typed: Record<string, unknown> = {}, connection?: Connection) {
  const made = machineIn(newFolder(), typed, connection);
  made.install({});
  made.installCommands();
  return made;
}

const newFolder = () => mkdtempSync(join(tmpdir(), "livekit-machine-"));

/** What can be done with a machine whose folder is there. */
function machineIn(folder: string, typed: Record<string, unknown>, connection?: Connection) {
  const root = join(folder, "root");
  const control = join(folder, "control");
  const path = (name: string) => join(root, name);
  const write = (name: string, content: string, mode = 0o644) => {
    mkdirSync(dirname(name), { recursive: true, mode: 0o755 });
    writeFileSync(name, content, { mode });
    chmodSync(name, mode);
  };
  const install = (changes: Record<string, unknown>) => {
    const options = optionsFrom({ domain: "livekit.example.com", ...typed, ...changes });
    for (const { installed, content } of bundle(options, undefined, connection).files)
      if (installed) write(path(installed.path), content, Number.parseInt(installed.mode, 8));
  };
  const installCommands = () => {
    for (const [name, body] of Object.entries(machineCommands)) {
      const call = `printf '%s %s\\n' ${name} "$*" >>"$MACHINE/calls"`;
      write(join(folder, "commands", name), `#!/bin/sh\n${call}\n${body}\n`, 0o755);
    }
    for (const part of ["running", "images"]) mkdirSync(join(control, part), { recursive: true });
    const listening = (ports: string[]) =>
      ports.map((port) => `UNCONN 0 0 ${port} 0.0.0.0:*\n`).join("");
    // Nobody listens on port 80: Caddy opens it only while a certificate is issued.
    write(
      join(control, "listening-tcp"),
      listening(["*:443", "0.0.0.0:7881", "127.0.0.1:6379", "127.0.0.1:7880", "*:22"]),
    );
    write(join(control, "listening-udp"), listening(["0.0.0.0:3478", "*:7885"]));
  };
  const environment = {
    ...process.env,
    PATH: `${join(folder, "commands")}:${process.env.PATH}`,
    LIVEKIT_DEPLOY_ROOT: root,
    MACHINE: control,
  };
  const commandOf = (name: string) =>
    name === "livekit-deploy" ? path("usr/bin/livekit-deploy") : path(`opt/livekit/bin/${name}.sh`);

  return {
    root,
    environment,
    folder,
    /** Copies the files of changed options over the ones that are there. */
    install,
    /** The fakes of its commands, and what they answer at first. */
    installCommands,
    /** Runs a script of the bundle under dash, Ubuntu's /bin/sh. */
    run(
      name: string,
      args: readonly string[] = [],
      input = "",
      more: Record<string, string> = {},
    ): CommandResult {
      const { status, signal, stdout, stderr } = spawnSync("dash", [commandOf(name), ...args], {
        env: { ...environment, ...more },
        input,
        encoding: "utf8",
        cwd: folder,
      });
      if (status === null) throw new Error(`${name} was ended by ${signal}`);
      return { status, said: stdout + stderr };
    },
    start: (name: string, args: readonly string[] = [], more: Record<string, string> = {}) =>
      spawn("dash", [commandOf(name), ...args], {
        env: { ...environment, ...more },
        cwd: folder,
        detached: true,
      }),
    /** What an administrator types: the status of the fake, which does what LiveKit's unit says. */
    systemctl: (...args: readonly string[]): number | null =>
      spawnSync("systemctl", args, { env: environment, cwd: folder }).status,
    /** Sets what a fake answers. */
    set: (name: string, content = "") => write(join(control, name), content),
    unset: (name: string) => rmSync(join(control, name), { force: true }),
    isSet: (name: string) => existsSync(join(control, name)),
    add: (name: string, content: string) => appendFileSync(join(control, name), content),
    told: (name: string) => readFileSync(join(control, name), "utf8"),
    calls: () =>
      existsSync(join(control, "calls")) ? readFileSync(join(control, "calls"), "utf8") : "",
    forget: () => rmSync(join(control, "calls"), { force: true }),
    path,
    read: (name: string) => readFileSync(path(name), "utf8"),
    has: (name: string) => existsSync(path(name)),
    write: (name: string, content: string | Uint8Array, mode = 0o644) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content, { mode });
    },
    mode: (name: string) => (statSync(path(name)).mode & 0o777).toString(8),
    /** A command of its own: replaces a fake, or adds one. */
    command: (name: string, body: string) =>
      write(join(folder, "commands", name), `#!/bin/sh\n${body}\n`, 0o755),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Machine = ReturnType<typeof machine>;

/**
 * A machine whose first boot has ended and whose containers run: a copy of one that has booted with the
 * same options in this run. A boot starts hundreds of programs, and a copy one.
 */
export function runningMachine(typed: Record<string, unknown> = {}): Machine {
  const options = createHash("sha256").update(JSON.stringify(typed)).digest("hex");
  const original = join(inject("bootedMachines"), options);
  if (!existsSync(original)) boot(typed, original);
  const folder = newFolder();
  const { status, stderr } = spawnSync("cp", ["-a", `${original}/.`, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return machineIn(folder, typed);
}

/** As `runningMachine`, with secrets that no other machine has. */
export function newlyBootedMachine(typed: Record<string, unknown> = {}): Machine {
  const made = machine(typed);
  const outcome = made.run("first-boot");
  if (outcome.status !== 0) throw new Error(outcome.said);
  made.run("before-start");
  made.systemctl("start", "livekit.service");
  made.write("opt/livekit/data/redis/dump.rdb", new Uint8Array([0, 255, 10, 13, 26, 82]));
  made.write("opt/livekit/data/caddy/certificates/livekit.example.com.key", "private\n", 0o600);
  made.forget();
  return made;
}

function boot(typed: Record<string, unknown>, original: string): void {
  const made = newlyBootedMachine(typed);
  try {
    renameSync(made.folder, original);
  } catch (error) {
    // Another file was faster.
    made[Symbol.dispose]();
    if (!existsSync(original)) throw error;
  }
}

/** Where a server keeps its backups. */
export const backupsFolder = "var/backups/livekit";

/** The names of a server's backups, oldest first; half ones too. */
export function backupsOn(server: Machine): string[] {
  return server.has(backupsFolder) ? readdirSync(server.path(backupsFolder)).sort() : [];
}
