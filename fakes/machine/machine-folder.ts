import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { refuseInProduction } from "../refuse-production.ts";
import { machineCommands } from "./commands.ts";

/** A file as it is put on a machine: where it belongs there, and its mode. */
export type MachineFile = { path: string; content: string; mode: number };

/**
 * A machine in a folder, on which the real scripts of a bundle run: root/ has its files, commands/ the fakes of what
 * the scripts call, control/ what the fakes answer.
 */
export function machineFolder(folder: string) {
  refuseInProduction("machine");
  const root = join(folder, "root");
  const control = join(folder, "control");
  const path = (name: string) => join(root, name);
  const put = (file: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, content, { mode });
    chmodSync(file, mode);
  };
  /** A command of its own: replaces a fake, or adds one. */
  const command = (name: string, body: string) =>
    put(join(folder, "commands", name), `#!/bin/sh\n${body}\n`, 0o755);
  /** Sets what a fake answers. */
  const set = (name: string, content = "") => put(join(control, name), content);
  const controlContent = (name: string) => readFileSync(join(control, name), "utf8");
  const isSet = (name: string) => existsSync(join(control, name));

  return {
    folder,
    root,
    /** The environment in which its scripts run. */
    environment: {
      ...process.env,
      PATH: `${join(folder, "commands")}:${process.env.PATH}`,
      LIVEKIT_DEPLOY_ROOT: root,
      MACHINE: control,
    },
    path,
    command,
    set,
    isSet,
    controlContent,
    unset: (name: string) => rmSync(join(control, name), { force: true }),
    add: (name: string, content: string) => appendFileSync(join(control, name), content),
    read: (name: string) => readFileSync(path(name), "utf8"),
    has: (name: string) => existsSync(path(name)),
    mode: (name: string) => (statSync(path(name)).mode & 0o777).toString(8),
    write: (name: string, content: string | Uint8Array, mode = 0o644) =>
      put(path(name), content, mode),
    calls: () => (isSet("calls") ? controlContent("calls") : ""),
    forget: () => rmSync(join(control, "calls"), { force: true }),
    /** Where a script of the bundle is. */
    commandOf: (name: string) =>
      path(name === "livekit-deploy" ? "usr/bin/livekit-deploy" : `opt/livekit/bin/${name}.sh`),
    install(files: readonly MachineFile[]) {
      for (const { path: target, content, mode } of files) put(path(target), content, mode);
    },
    /** The fakes of its commands, and what they answer at first. */
    installCommands() {
      for (const [name, body] of Object.entries(machineCommands))
        command(name, `printf '%s %s\\n' ${name} "$*" >>"$MACHINE/calls"\n${body}`);
      writeUptime({ write: (name, content) => put(path(name), content) }, 100);
      writeSystem({ write: (name, content) => put(path(name), content) }, systemOf(path));
      for (const part of ["running", "images"]) mkdirSync(join(control, part), { recursive: true });
      // Nobody listens on port 80: Caddy opens it only while a certificate is issued.
      const tcp = ["*:443", "0.0.0.0:7881", "127.0.0.1:6379", "127.0.0.1:7880", "*:22"];
      set("listening-tcp", listening(tcp));
      set("listening-udp", listening(["0.0.0.0:3478", "*:7885"]));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type MachineFolder = ReturnType<typeof machineFolder>;

/** The systems that a machine may say it has, as /etc/os-release names them. */
const systems = {
  "Ubuntu 24.04.3 LTS": ["ubuntu", "24.04"],
  "Ubuntu 26.04 LTS": ["ubuntu", "26.04"],
  "Debian GNU/Linux 12 (bookworm)": ["debian", "12"],
  "Debian GNU/Linux 13 (trixie)": ["debian", "13"],
  "Amazon Linux 2023.9.20251105": ["amzn", "2023"],
  "Fedora Linux 43 (Cloud Edition)": ["fedora", "43"],
} as const;
export type System = keyof typeof systems;

/** What a machine says its system is. */
export function writeSystem(machine: Pick<MachineFolder, "write">, name: System): void {
  const [id, version] = systems[name];
  machine.write("etc/os-release", `PRETTY_NAME="${name}"\nID=${id}\nVERSION_ID="${version}"\n`);
}

/** The system that a bundle's files are for. */
function systemOf(path: (name: string) => string): System {
  const file = path("opt/livekit/deployment.env");
  return existsSync(file) && /^SYSTEM='?amazon/m.test(readFileSync(file, "utf8"))
    ? "Amazon Linux 2023.9.20251105"
    : "Ubuntu 24.04.3 LTS";
}

/** What `ss` says of programs that listen at these addresses. */
export function listening(addresses: readonly string[]): string {
  return addresses.map((address) => `UNCONN 0 0 ${address} 0.0.0.0:*\n`).join("");
}

/** What the kernel of a machine says of it: its ids, memory, load and network. */
export function writeKernel(
  machine: Pick<MachineFolder, "write">,
  { machineId, bootId }: { machineId: string; bootId: string },
): void {
  machine.write("etc/machine-id", `${machineId}\n`);
  machine.write("proc/sys/kernel/random/boot_id", `${bootId}\n`);
  writeUptime(machine, 100);
  writeProcessorTime(machine, { busy: 1_000, idle: 9_000 });
  writeFigures(machine, { load: 0.31, memoryUsed: 2_000_000, received: 700, sent: 900 });
}

/** For how long its kernel runs. */
export function writeUptime(machine: Pick<MachineFolder, "write">, seconds: number): void {
  machine.write("proc/uptime", `${seconds.toFixed(2)} 1.00\n`);
}

/** In hundredths of a second since the boot, of all processors together. */
function writeProcessorTime(
  machine: Pick<MachineFolder, "write">,
  { busy, idle }: { busy: number; idle: number },
): void {
  const waiting = Math.floor(idle / 10);
  machine.write(
    "proc/stat",
    `cpu  ${busy} 0 0 ${idle - waiting} ${waiting} 0 0 0 ${busy} 0\ncpu0 ${busy} 0 0 ${idle} 0 0 0 0 0 0\nbtime 1700000000\n`,
  );
}

/** Memory in KiB, traffic in bytes since the boot. */
export function writeFigures(
  machine: Pick<MachineFolder, "write">,
  figures: { load: number; memoryUsed: number; received: number; sent: number },
): void {
  const { load, memoryUsed, received, sent } = figures;
  machine.write("proc/loadavg", `${load.toFixed(2)} 0.20 0.10 1/100 4242\n`);
  const total = 8_000_000;
  machine.write(
    "proc/meminfo",
    `MemTotal: ${total} kB\nMemFree: 100 kB\nMemAvailable: ${total - memoryUsed} kB\n`,
  );
  machine.write(
    "proc/net/dev",
    `Inter-| Receive\n face |bytes\n  lo: 9 0 0 0 0 0 0 0 9 0\neth0: ${received} 0 0 0 0 0 0 0 ${sent} 0\n`,
  );
}

/** What a LiveKit process says of itself on its port for metrics. `startedAt` in seconds since 1970. */
export function metricsText(figures: {
  node: string;
  startedAt: number;
  rooms: number;
  participants: number;
}): string {
  const { node, startedAt, rooms, participants } = figures;
  const labels = `node_id="${node}",node_type="SERVER"`;
  return `# TYPE livekit_room_total gauge
livekit_room_total{${labels}} ${rooms}
livekit_participant_total{${labels}} ${participants}
livekit_track_published_total{kind="AUDIO",${labels}} ${participants}
livekit_track_published_total{kind="VIDEO",${labels}} ${participants}
livekit_track_subscribed_total{kind="AUDIO",${labels}} ${participants * 3}
livekit_packet_loss_percent_bucket{country="",direction="incoming",${labels},source="MICROPHONE",type="AUDIO",le="0"} 40
livekit_packet_loss_percent_sum{country="",direction="incoming",${labels},source="MICROPHONE",type="AUDIO"} 6.25
livekit_packet_loss_percent_count{country="",direction="incoming",${labels},source="MICROPHONE",type="AUDIO"} 40
livekit_packet_loss_percent_sum{country="",direction="outgoing",${labels},source="CAMERA",type="VIDEO"} 1.5
livekit_packet_loss_percent_count{country="",direction="outgoing",${labels},source="CAMERA",type="VIDEO"} 10
livekit_jitter_us_sum{country="",direction="incoming",${labels},source="MICROPHONE",type="AUDIO"} 2.5e+06
livekit_jitter_us_count{country="",direction="incoming",${labels},source="MICROPHONE",type="AUDIO"} 500
livekit_participant_join_total{${labels},sdk="",state="signal_connected",warp=""} ${participants}
livekit_participant_join_total{${labels},sdk="",state="signal_failed",warp=""} 2
livekit_participant_join_total{${labels},sdk="",state="signal_validation_failed",warp=""} 70
livekit_participant_join_total{${labels},sdk="JS",state="rtc_canceled",warp="false"} 4
livekit_participant_join_total{${labels},sdk="JS",state="rtc_failure",warp="false"} 3
process_start_time_seconds ${startedAt.toExponential()}
`;
}
