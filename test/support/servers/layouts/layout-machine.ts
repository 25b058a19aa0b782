import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeKernel } from "../../../../fakes/machine/machine-folder.ts";
import { connectText, sessionsText } from "./connect-text.ts";

/** A machine that somebody made without us: its files by their paths, what its engines say, and which units run. */
export type LayoutFiles = {
  files: Readonly<Record<string, string | { content: string; mode: number }>>;
  /** The containers as `docker inspect` says them, by engine: docker, docker-1000 or podman-1000 of a user. */
  engines?: Readonly<Record<string, readonly Container[]>>;
  units?: readonly string[];
};

export type Container = { Id: string; Name: string } & Readonly<Record<string, unknown>>;

export const shells = { dash: ["/bin/dash"], "busybox sh": ["/bin/busybox", "sh"] } as const;

/**
 * What the script calls. Each fake writes its call to $MACHINE/calls, and refuses whatever would change something of
 * LiveKit, as it refuses what it does not know.
 */
const engine = (tool: string, flag: string) => `
echo "${tool} $*" >>"$MACHINE/calls"
file=$MACHINE/${tool}.json
if [ "$1" = "${flag}" ]; then
  user=\${2%/${tool === "podman" ? "podman/podman" : "docker"}.sock}
  file=$MACHINE/${tool}-\${user##*/}.json
  shift 2
fi
[ -e "$file" ] || { echo "Cannot connect to the daemon. Is it running?" >&2; exit 1; }
case "$*" in
"ps -aq --no-trunc") sed -n 's/^  "Id": "\\(.*\\)",$/\\1/p' "$file" ;;
"ps -aq --filter label=com.docker.compose.service="*)
  python3 -c 'import json, sys
for each in json.load(open(sys.argv[1])):
  if each["Config"]["Labels"].get("com.docker.compose.service") == sys.argv[2]: print(each["Id"])' "$file" "\${4##*=}" ;;
"inspect -f {{range .NetworkSettings.Networks}}{{.Gateway}} {{end}} "*)
  shift 3
  python3 -c 'import json, sys
containers = {name: each for each in json.load(open(sys.argv[1])) for name in (each["Id"], each["Name"].lstrip("/"))}
for name in sys.argv[2:]: print(*(one["Gateway"] for one in containers[name]["NetworkSettings"]["Networks"].values()))' "$file" "$@" ;;
"inspect "*) cat "$file" ;;
*) echo "unknown command: $*" >&2; exit 125 ;;
esac`;

const commands: Readonly<Record<string, string>> = {
  docker: engine("docker", "-H"),
  podman: engine("podman", "--url"),
  id: 'if [ -e "$MACHINE/not-root" ]; then echo 1000; else echo 0; fi',
  systemctl: `
echo "systemctl $*" >>"$MACHINE/calls"
units=$LIVEKIT_CONNECT_ROOT/etc/systemd/system
case "$*" in
"show "*" -p Environment -p EnvironmentFiles")
  sed -n 's/^Environment=/&/p; s/^EnvironmentFile=\\(.*\\)/EnvironmentFiles=\\1 (ignore_errors=no)/p' "$units/$2" ;;
"is-active "*) grep -qx "$2" "$MACHINE/active" 2>/dev/null && echo active || { echo inactive; exit 3; } ;;
"is-enabled "*) [ -h "$units/multi-user.target.wants/$2" ] && echo enabled || { echo disabled; exit 1; } ;;
daemon-reload) ;;
"enable --now livekit-connect.timer")
  ! [ -e "$MACHINE/no-room" ] || exit 1
  [ -e "$units/livekit-connect.timer" ] && ln -s ../livekit-connect.timer "$units/timers.target.wants/livekit-connect.timer" ;;
"enable --now livekit-sessions.service") mkdir -p "$units/multi-user.target.wants" "$LIVEKIT_CONNECT_ROOT/var/lib/private/livekit-sessions"
  ln -s private/livekit-sessions "$LIVEKIT_CONNECT_ROOT/var/lib/livekit-sessions"
  ln -s ../livekit-sessions.service "$units/multi-user.target.wants/livekit-sessions.service" ;;
"disable --now livekit-sessions.service") rm "$units/multi-user.target.wants/livekit-sessions.service" ;;
"disable --now livekit-connect.timer") rm "$units/timers.target.wants/livekit-connect.timer" ;;
*) echo "Unknown command verb." >&2; exit 1 ;;
esac`,
};

/** A folder that is the root of such a machine. Whatever LiveKit is there is asked at 127.0.0.1. */
export function layoutMachine({ files, engines = {}, units = [] }: LayoutFiles) {
  const folder = mkdtempSync(join(tmpdir(), "livekit-layout-"));
  const root = join(folder, "root");
  const control = join(folder, "control");
  const put = (file: string, content: string, mode = 0o644) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  const write = (path: string, content: string | Uint8Array, mode = 0o644) =>
    put(join(root, path), content.toString(), mode);
  writeKernel(
    { write },
    {
      machineId: "0123456789abcdef0123456789abcdef",
      bootId: "11111111-1111-4111-8111-111111111111",
    },
  );
  write("run/systemd/system/.keep", "");
  write("etc/systemd/system/.keep", "");
  write("opt/containerd/.keep", "");
  write("var/lib/.keep", "");
  for (const [path, file] of Object.entries(files)) {
    if (typeof file === "string") write(path, file);
    else write(path, file.content, file.mode);
  }
  for (const [name, body] of Object.entries(commands))
    if (name !== "podman" || Object.keys(engines).some((each) => each.startsWith("podman")))
      put(join(folder, "commands", name), `#!/bin/sh\n${body}\n`, 0o755);
  for (const [name, containers] of Object.entries(engines)) {
    put(join(control, `${name}.json`), `${JSON.stringify(containers, null, 1)}\n`);
    const [tool, user] = name.split("-");
    if (user) write(`run/user/${user}/${tool === "podman" ? "podman/podman" : "docker"}.sock`, "");
  }
  put(join(control, "active"), units.map((unit) => `${unit}\n`).join(""));
  put(join(folder, "livekit-connect.sh"), connectText);
  put(join(folder, "livekit-sessions.py"), sessionsText);
  const environment = {
    ...process.env,
    PATH: `${join(folder, "commands")}:${process.env.PATH}`,
    LIVEKIT_CONNECT_ROOT: root,
    MACHINE: control,
  };

  const started = (program: string, args: readonly string[], env: Record<string, string> = {}) =>
    spawn(program, args, { env: { ...environment, ...env }, cwd: folder });

  const ended = (child: ReturnType<typeof started>, input: string) => {
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    return new Promise<{ status: number | null; output: string }>((resolve) =>
      child.on("close", (status) => resolve({ status, output })),
    );
  };

  return {
    folder,
    write,
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    has: (path: string) => existsSync(join(root, path)),
    remove: (path: string) => rmSync(join(root, path)),
    path: (name: string) => join(root, name),
    mode: (path: string) => (lstatSync(join(root, path)).mode & 0o777).toString(8),
    set: (name: string) => put(join(control, name), ""),
    calls: () =>
      existsSync(join(control, "calls")) ? readFileSync(join(control, "calls"), "utf8") : "",
    tree: () => treeOf(root),
    /** Runs the script under a shell: as it was downloaded, or as it is installed. */
    run(
      shell: keyof typeof shells,
      args: readonly string[],
      { input = "", installed = false, env = {} } = {},
    ) {
      const [program, ...under] = shells[shell];
      const file = installed
        ? join(root, "opt/livekit-connect/livekit-connect")
        : join(folder, "livekit-connect.sh");
      return ended(started(program, [...under, file, ...args], env), input);
    },
    /** Runs the program for sessions, as it was downloaded or as it is installed. */
    runSessions: (args: readonly string[], { input = "", installed = false } = {}) =>
      ended(
        installed
          ? started(join(root, "opt/livekit-sessions/livekit-sessions"), args)
          : started("python3", ["livekit-sessions.py", ...args]),
        input,
      ),
    /** Starts what the unit of the program for sessions starts. */
    startSessions() {
      const unit = readFileSync(join(root, "etc/systemd/system/livekit-sessions.service"), "utf8");
      const [program = "", ...args] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
      return started(join(root, program), args);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Every file, folder and link below a folder: its mode, its owner, and what is in it. */
export function treeOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const path = join(root, name);
      const stat = lstatSync(path);
      const mode = `${stat.mode.toString(8)} ${stat.uid}:${stat.gid}`;
      if (stat.isDirectory()) return `${mode} ${name}/`;
      if (stat.isSymbolicLink()) return `${mode} ${name} -> ${readlinkSync(path)}`;
      return `${mode} ${name} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
    });
}
