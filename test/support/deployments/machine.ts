import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, vi } from "vitest";
import type { Connection } from "../../../app/features/deployments/bundle/bundle-types.ts";
import { machineFolder } from "../../../fakes/machine/machine-folder.ts";
import { bundle } from "./bundle.ts";
import { optionsFrom } from "./bundle-cases.ts";

type CommandResult = { status: number; output: string };

/** The shells under which the scripts must run: Ubuntu's /bin/sh, and the smallest that machines have. */
const shells = { dash: "/bin/dash", "busybox sh": "/bin/busybox sh" } as const;
type Shell = keyof typeof shells;

/** A machine in a folder: the files of a bundle where cloud-init puts them, and fakes for its commands. */
export function machine(typed: Record<string, unknown> = {}, connection?: Connection) {
  const made = machineIn(newFolder(), typed, connection);
  made.install({});
  made.installCommands();
  return made;
}

const newFolder = () => mkdtempSync(join(tmpdir(), "livekit-machine-"));

/** What can be done with a machine whose folder is there. Its scripts run, and start each other, under `shell`. */
function machineIn(
  folder: string,
  typed: Record<string, unknown>,
  connection?: Connection,
  shell: Shell = "dash",
) {
  const made = machineFolder(folder);
  const [program = "", ...under] = shells[shell].split(" ");
  const { environment, commandOf } = made;
  const install = (changes: Record<string, unknown>) => {
    const options = optionsFrom({ domain: "livekit.example.com", ...typed, ...changes });
    made.install(
      bundle(options, undefined, connection).files.flatMap(({ installed, content }) =>
        installed
          ? [
              {
                path: installed.path,
                content:
                  shell === "dash"
                    ? content
                    : content.replace(/^#!\/bin\/sh$/m, `#!${shells[shell]}`),
                mode: Number.parseInt(installed.mode, 8),
              },
            ]
          : [],
      ),
    );
  };

  return {
    ...made,
    /** Copies the files of changed options over the ones that are there. */
    install,
    /** Runs a script of the bundle. */
    run(
      name: string,
      args: readonly string[] = [],
      input = "",
      more: Record<string, string> = {},
    ): CommandResult {
      const { status, signal, stdout, stderr } = spawnSync(
        program,
        [...under, commandOf(name), ...args],
        {
          env: { ...environment, ...more },
          input,
          encoding: "utf8",
          cwd: folder,
        },
      );
      if (status === null) throw new Error(`${name} was ended by ${signal}`);
      return { status, output: stdout + stderr };
    },
    start: (name: string, args: readonly string[] = [], more: Record<string, string> = {}) =>
      spawn(program, [...under, commandOf(name), ...args], {
        env: { ...environment, ...more },
        cwd: folder,
        detached: true,
      }),
    /** From now on whatever waits takes no time, and moves the seconds since the boot by as much. */
    waitsAtOnce: () =>
      made.command(
        "sleep",
        `echo "$1" >>"$MACHINE/waits"
seconds=$(cut -d . -f 1 "$LIVEKIT_DEPLOY_ROOT/proc/uptime")
echo "$((seconds + $1)).00 1.00" >"$LIVEKIT_DEPLOY_ROOT/proc/uptime"`,
      ),
    /** Starts a script, and ends it with all that it started, as a power cut does, once a fake has set `reached`. */
    async cutPower(name: string, args: readonly string[], reached: string): Promise<void> {
      const child = this.start(name, args);
      child.stdout.resume();
      child.stderr.resume();
      await vi.waitUntil(() => made.isSet(reached), { timeout: 50_000 });
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await once(child, "close");
    },
    /** What an administrator types: the status of the fake, which does what LiveKit's unit says. */
    systemctl: (...args: readonly string[]): number | null =>
      spawnSync("systemctl", args, { env: environment, cwd: folder }).status,
  };
}

export type Machine = ReturnType<typeof machine>;

/**
 * A machine whose first boot has ended and whose containers run: a copy of one that has booted with the
 * same options in this run. A boot starts hundreds of programs, and a copy one. With `connection` it has the files of
 * a bundle that knows the console.
 */
export function runningMachine(
  typed: Record<string, unknown> = {},
  connection?: Connection,
  shell?: Shell,
): Machine {
  const options = createHash("sha256").update(JSON.stringify(typed)).digest("hex");
  const original = join(inject("bootedMachines"), options);
  if (!existsSync(original)) boot(typed, original);
  const folder = newFolder();
  const { status, stderr } = spawnSync("cp", ["-a", `${original}/.`, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const made = machineIn(folder, typed, connection, shell);
  if (connection || shell) made.install({});
  return made;
}

/** As `runningMachine`, with secrets that no other machine has. */
export function newlyBootedMachine(
  typed: Record<string, unknown> = {},
  connection?: Connection,
): Machine {
  const made = machine(typed, connection);
  const outcome = made.run("first-boot");
  if (outcome.status !== 0) throw new Error(outcome.output);
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

/** Makes a backup by the timer's script, and answers its path. */
export function backedUp(server: Machine): string {
  const { status, output } = server.run("backup");
  if (status !== 0) throw new Error(output);
  return server.path(`${backupsFolder}/${backupsOn(server).at(-1)}`);
}
