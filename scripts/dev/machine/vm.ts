import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { uptime } from "node:os";
import { parseEnv } from "node:util";
import { machineCommands } from "../../../fakes/machine/commands.ts";
import {
  listening,
  type MachineFolder,
  machineFolder,
  metricsText,
  writeFigures,
  writeKernel,
  writeUptime,
} from "../../../fakes/machine/machine-folder.ts";
import { folderOf, type Identity } from "./saved-machines.ts";
import { idsInKey } from "./wire-machine.ts";

export type Outcome = { status: number | null; output: string };

/** One machine: its folder, and the scripts of the bundle that run in it. */
export class Vm {
  readonly identity: Identity;
  readonly folder: MachineFolder;
  participants = 0;
  readonly #children = new Set<ChildProcess>();
  #traffic = { received: 700_000, sent: 900_000 };
  #livekit = { node: "", startedAt: 0 };

  constructor(identity: Identity) {
    this.identity = identity;
    this.folder = machineFolder(folderOf(identity.name));
  }

  /** Seconds that installing, fetching and starting take. */
  set pace(seconds: number) {
    this.folder.set("pace", String(seconds));
  }

  /** Starts the machine: another boot, an empty /run, and the fakes of its commands. */
  powerOn(): void {
    const { folder, identity } = this;
    folder.installCommands();
    for (const [name, body] of Object.entries(commandsOf(identity.name)))
      folder.command(name, body);
    rmSync(folder.path("run"), { recursive: true, force: true });
    for (const left of ["system-state", "jobs", "up-slow", "up-began"]) folder.unset(left);
    folder.write("run/.boot", "");
    writeKernel(folder, { machineId: identity.machineId, bootId: randomUUID() });
    folder.write("var/lib/cloud/data/instance-id", `${identity.instance}\n`);
    const { PUBLIC_PORTS = "" } = parseEnv(folder.read("opt/livekit/deployment.env"));
    const open = (protocol: string) =>
      [...PUBLIC_PORTS.matchAll(/(\d+)\/(tcp|udp)/g)]
        .filter(([, , of]) => of === protocol)
        .map(([, port]) => `*:${port}`);
    folder.set("listening-tcp", listening([...open("tcp"), "127.0.0.1:8443", "127.0.0.1:7880"]));
    folder.set("listening-udp", listening(open("udp")));
    this.restartLivekit();
  }

  /** LiveKit counts anew, as another process and another node. */
  restartLivekit(): void {
    const node = `ND_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
    this.#livekit = { node, startedAt: Math.floor(Date.now() / 1_000) };
    this.participants = 0;
  }

  /** A minute of calls: people come and go, and the figures follow. */
  passTime(): void {
    const { folder } = this;
    const step = Math.floor(Math.random() * 7) - 2;
    this.participants = Math.min(40, Math.max(1, this.participants + step));
    const { participants } = this;
    this.#traffic.received += participants * 4_000_000;
    this.#traffic.sent += participants * 9_000_000;
    const load = 0.2 + participants * 0.05;
    writeFigures(folder, {
      load,
      memoryUsed: 2_000_000 + participants * 30_000,
      ...this.#traffic,
    });
    const rooms = Math.ceil(participants / 4);
    folder.set("livekit-metrics", metricsText({ ...this.#livekit, rooms, participants }));
  }

  /** Runs a script of the bundle to its end. */
  run(name: string, args: readonly string[] = [], input = ""): Promise<Outcome> {
    writeUptime(this.folder, uptime());
    return new Promise((resolve, reject) => {
      const child = spawn("sh", [this.folder.commandOf(name), ...args], {
        env: this.folder.environment,
        cwd: folderOf(this.identity.name),
        detached: true,
      });
      this.#children.add(child);
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text) => (output += text));
      child.stdin.on("error", () => {});
      child.stdin.end(input);
      child.on("error", reject);
      child.on("close", (status) => {
        this.#children.delete(child);
        resolve({ status, output: output.trim() });
      });
    });
  }

  /** One report, as the timer starts it. Its sentence is empty where nothing went wrong. */
  report = (): Promise<Outcome> => this.run("console", ["report"]);

  /** Reports to the console that the machine is switched off, or started again, as its unit does. */
  async goDown(how: "stop" | "reboot"): Promise<void> {
    const { folder } = this;
    folder.set("system-state", "stopping\n");
    folder.set(
      "jobs",
      how === "stop" ? "1 poweroff.target start waiting\n" : "1 reboot.target start waiting\n",
    );
    await this.run("console", ["going"]);
  }

  get isConnected(): boolean {
    return this.folder.has("opt/livekit/server.key");
  }

  /** The id of its server in the console; undefined before it is connected. */
  get server(): string | undefined {
    return this.#ids?.server;
  }

  /** The id of the workspace that it was connected to. */
  get workspace(): string | undefined {
    return this.#ids?.workspace;
  }

  get #ids() {
    return this.isConnected ? idsInKey(this.folder.read("opt/livekit/server.key")) : undefined;
  }

  /** For how many seconds the machine makes no call, because the console said so. */
  get waitsSeconds(): number {
    const file = this.folder.path("run/livekit-console/not-before");
    return existsSync(file) ? Number(readFileSync(file, "utf8")) - uptime() : 0;
  }

  /** Lets the next report be made at once, as an administrator can. */
  waitNoMore(): void {
    rmSync(this.folder.path("run/livekit-console/not-before"), { force: true });
  }

  /** Ends whatever of it still runs. */
  end(): void {
    for (const { pid } of this.#children) {
      if (pid === undefined) continue;
      try {
        process.kill(-pid, "SIGTERM");
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

/** The fakes that differ from those of tests: what takes time on a machine takes some here, and every name is its own. */
function commandsOf(name: string): Record<string, string> {
  const wait = 'sleep "$(cat "$MACHINE/pace" 2>/dev/null || echo 0)"';
  return {
    "apt-get": `case "$*" in *install*) ${wait} ;; esac\n${machineCommands["apt-get"]}`,
    dnf: `${wait}\n${machineCommands.dnf}`,
    docker: `case "$*" in "compose pull"* | "compose up"*) ${wait} ;; esac\n${machineCommands.docker}`,
    systemctl: `case "$*" in "enable --now docker.service") ${wait} ;; esac\n${machineCommands.systemctl}`,
    getent: `if [ "$1" = ahostsv6 ]; then echo "2001:db8::5 STREAM $2"; else echo "203.0.113.5 STREAM $2"; fi`,
    uname: `case "$*" in -n) echo '${name}' ;; *) PATH=\${PATH#*:} exec uname "$@" ;; esac`,
  };
}
