import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipOf } from "../../../app/features/deployments/bundle/zip.ts";
import { machineCommands } from "../../../fakes/machine/commands.ts";
import { machineFolder } from "../../../fakes/machine/machine-folder.ts";
import { bundle } from "../deployments/bundle.ts";
import { optionsFrom } from "../deployments/bundle-cases.ts";
import { type LayoutFiles, shells, treeOf } from "../servers/layouts/layout-machine.ts";
import { countingPython, moveInCommands } from "./commands.ts";

/** Who listens on the machine: address, program, process, and the control group of that. */
export type Listener = readonly [address: string, program: string, process: number, group: string];

/** What the kernel has before ours changes it. */
const kernel = {
  "net.core.rmem_max": "212992",
  "net.core.wmem_max": "212992",
  "vm.overcommit_memory": "0",
};

/**
 * A machine with a LiveKit that was made without us, and the unpacked zip of a deployment beside it. What is outside its
 * folder is faked as for a bundle; see commands.ts.
 */
export function moveInMachine(
  { files, engines = {}, units = [] }: LayoutFiles,
  listeners: readonly Listener[],
  typed: Record<string, unknown> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "livekit-move-in-"));
  const made = machineFolder(folder);
  made.installCommands();
  for (const [name, body] of Object.entries(moveInCommands)) {
    const before = machineCommands[name];
    if (before !== undefined)
      made.command(
        `bundle-${name}`,
        `printf '%s %s\\n' ${name} "$*" >>"$MACHINE/calls"\n${before}`,
      );
    made.command(name, body);
  }
  for (const path of ["run/systemd/system", "var/lib", "opt"]) made.write(`${path}/.keep`, "");
  for (const wants of ["multi-user", "timers", "sysinit"])
    mkdirSync(made.path(`etc/systemd/system/${wants}.target.wants`), { recursive: true });
  for (const [path, file] of Object.entries(files)) {
    const { content, mode } = typeof file === "string" ? { content: file, mode: 0o644 } : file;
    made.write(path, content, mode);
    if (process.getuid?.() === 0 && path.endsWith("livekit.yaml"))
      chownSync(made.path(path), 1001, 1002);
  }
  for (const part of ["theirs", "removed", "active", "kernel"])
    mkdirSync(join(folder, "control", part));
  for (const container of engines.docker ?? [])
    made.set(`theirs/${container.Id}.json`, `${JSON.stringify(container, null, 1)}\n`);
  for (const name of units) {
    made.set(`active/${name}`);
    symlinkSync(
      `/etc/systemd/system/${name}`,
      made.path(`etc/systemd/system/multi-user.target.wants/${name}`),
    );
  }
  for (const [name, value] of Object.entries(kernel)) made.set(`kernel/${name}`, `${value}\n`);
  const lines = (protocol: string) =>
    listeners.flatMap(([address, program, pid]) =>
      address.endsWith(`/${protocol}`)
        ? [
            `LISTEN 0 511 ${address.slice(0, -4)} 0.0.0.0:* users:(("${program}",pid=${pid},fd=6))\n`,
          ]
        : [],
    );
  made.set("listening-tcp", lines("tcp").join(""));
  made.set("listening-udp", lines("udp").join(""));
  for (const [, , pid, group] of listeners) made.write(`proc/${pid}/cgroup`, `0::${group}\n`);

  const zip = join(folder, "livekit");
  mkdirSync(zip);
  const bundled = bundle(optionsFrom({ domain: "livekit.example.com", ...typed })).files;
  for (const { path, content } of bundled) writeFileSync(join(zip, path), content);
  writeFileSync(join(folder, "bundle.zip"), zipOf(bundled));
  mkdirSync(join(folder, "python"));
  writeFileSync(join(folder, "python/sitecustomize.py"), countingPython);

  return machineIn(folder, units);
}

/** What can be done with a machine whose folder is there, on which units of these names are theirs. */
function machineIn(folder: string, units: readonly string[]) {
  const made = machineFolder(folder);
  const zip = join(folder, "livekit");
  const state = () => ({
    containers: Object.fromEntries(
      readdirSync(join(folder, "control/theirs")).map((name) => [
        name,
        made.controlContent(`theirs/${name}`),
      ]),
    ),
    units: readdirSync(join(folder, "control/active")).toSorted(),
    kernel: Object.fromEntries(
      Object.keys(kernel).map((name) => [name, made.controlContent(`kernel/${name}`).trim()]),
    ),
    firewall: made.isSet("firewall"),
    ours: existsSync(join(folder, "control/running/livekit")),
  });
  const run = (
    command: readonly string[],
    { input = "", shell = "dash" as keyof typeof shells, cutAt = 0 } = {},
  ) => {
    // What ends everything that was started, as a power cut does, ends its group of processes.
    const [program, ...under] = shells[shell];
    if (shell === "busybox sh")
      made.command(
        "systemd-run",
        (machineCommands["systemd-run"] ?? "").replace('"$@"', 'shift\n/bin/busybox sh "$@"'),
      );
    made.set("changes", "0");
    const result = spawnSync("/usr/bin/setsid", ["-w", program, ...under, ...command], {
      env: { ...made.environment, PYTHONPATH: join(folder, "python"), CUT_AT: String(cutAt) },
      input,
      encoding: "utf8",
      cwd: folder,
    });
    return { status: result.status, output: result.stdout + result.stderr };
  };

  return {
    ...made,
    zip,
    state,
    /** Everything on its disk but the log of the move, and what its processes are. */
    tree: () =>
      treeOf(made.root).filter(
        (line) =>
          !/ (var\/lib\/livekit-move-in(\/(log|containers\.log))?|run\/[\w.-]+|proc\/.*)\/?( |$)/.test(
            line,
          ),
      ),
    /** The same without what was put aside on the way back. */
    treeOfTheirs() {
      return this.tree().filter((line) => !line.includes(".moved-out-"));
    },
    run,
    moveIn: (args: readonly string[] = [], more: Parameters<typeof run>[1] = {}) =>
      run([join(zip, "move-in.sh"), ...args], { input: "yes\n", ...more }),
    moveOut: (more: Parameters<typeof run>[1] = {}) =>
      run([made.path("usr/bin/livekit-deploy"), "move-out", "--now"], { input: "yes\n", ...more }),
    /** Another machine that is as this one is now. */
    copy() {
      const other = mkdtempSync(join(tmpdir(), "livekit-move-in-"));
      spawnSync("cp", ["-a", `${folder}/.`, other]);
      return machineIn(other, units);
    },
    /** The way back by its own script, where ours is gone already. */
    moveOutAgain: () =>
      run([made.path("var/lib/livekit-move-in/bundle/move-in.sh"), "move-out"], { input: "yes\n" }),
    /** What the fake of a command does. */
    commandText: (name: string) =>
      readFileSync(join(folder, "commands", name), "utf8").replace(/^#!.*\n/, ""),
    /** The zip as people download it, in place of its unpacked files. */
    bringZip(name: string) {
      rmSync(zip, { recursive: true });
      renameSync(join(folder, "bundle.zip"), join(folder, name));
    },
    /** What people type at its terminal. */
    type(commands: string, input: string) {
      made.command("sudo", `PATH=$PATH:${made.path("usr/bin")}\nexec "$@"`);
      return run(["-ec", commands], { input });
    },
    changes: () => Number(made.controlContent("changes")),
    /**
     * The machine starts again after a power loss: containers run or not by their policies, units by their links. The unit
     * that ends a move runs first.
     */
    boot() {
      made.unset("firewall");
      // /run is in memory.
      rmSync(made.path("run/livekit-move-in.lock"), { force: true });
      for (const name of readdirSync(join(folder, "control/active"))) made.unset(`active/${name}`);
      const wants = made.path("etc/systemd/system/multi-user.target.wants");
      for (const name of readdirSync(join(folder, "control/theirs"))) {
        const text = made.controlContent(`theirs/${name}`);
        if (/"RestartPolicy": \{\s*"Name": "no"/.test(text))
          made.set(
            `theirs/${name}`,
            text
              .replace('"Status": "running"', '"Status": "exited"')
              .replace('"Running": true', '"Running": false'),
          );
      }
      const isGuarded = readdirSync(wants).includes("livekit-move-in.service");
      const ended = isGuarded
        ? run([made.path("var/lib/livekit-move-in/bundle/move-in.sh"), "--boot"])
        : { status: 0, output: "" };
      for (const name of readdirSync(wants))
        if (units.includes(name) && !made.isSet(`active/${name}`))
          run(["-c", `systemctl start ${name}`]);
      return ended;
    },
    readZip: (name: string) => readFileSync(join(zip, name), "utf8"),
  };
}

export type MoveInMachine = ReturnType<typeof machineIn>;
