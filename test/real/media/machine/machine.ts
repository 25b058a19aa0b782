import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { inject } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import type { Connection } from "~/features/deployments/bundle/bundle-types.ts";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { measured } from "../../../support/run/measured.ts";
import { pollUntil } from "../../../support/site/poll.ts";
import { outcomeOf, ran } from "../world/commands.ts";
import { address, type MachinePlace } from "../world/network.ts";
import type { World } from "../world/world.ts";

export interface MachineOptions {
  /** Whether /etc/hosts calls ::1 localhost too, as cloud-init writes it on Debian. */
  sixIsLocalhost: boolean;
  /** Answers of the deployment. */
  answers: Record<string, unknown>;
  /** Where it finds the console, and the token with which it introduces itself. */
  connection: Connection | undefined;
  /** The folder with its system; "/" is the one that the proof runs on. */
  root: string;
  /** Whether it was booted with the user data of a deployment. */
  hasDeployment: boolean;
  /** Where in the network it stands, and how it calls itself. */
  place: MachinePlace;
  name: string;
}

export type Machine = Awaited<ReturnType<typeof bootMachine>>;

/** What cloud-init runs at each boot. */
export const perBoot = "/var/lib/cloud/scripts/per-boot/50-livekit";

/** A machine that was booted with the user data of a deployment, before its first boot's script ran. */
export async function bootMachine(world: World, changes: Partial<MachineOptions> = {}) {
  const { authority, compose } = inject("media");
  const options = {
    ...{ sixIsLocalhost: true, answers: {}, connection: undefined, root: "/" },
    hasDeployment: true,
    place: "machine" as const,
    name: "livekit-machine",
    ...changes,
  };
  const isThisSystem = options.root === "/";
  const folder = mkdtempSync(join(world.folder, "machine-"));
  const files = join(folder, "files");
  const put = (path: string, content: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(join(files, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(files, path), content, { mode });
    chmodSync(join(files, path), mode);
  };
  mkdirSync(join(folder, "memory"));
  for (const { path, content, mode } of options.hasDeployment ? userData(options) : [])
    put(path, content, mode);
  // Its packages are those of this machine: a first boot that installs them finds nothing to do.
  if (isThisSystem) put("/usr/local/sbin/apt-get", "#!/bin/sh\n", 0o755);
  put("/usr/local/sbin/sudo", '#!/bin/sh\nexec "$@"\n', 0o755);
  put("/etc/hostname", `${options.name}\n`);
  put("/etc/hosts", `127.0.0.1 localhost\n${options.sixIsLocalhost ? "::1 localhost\n" : ""}`);
  const resolver = world.options.four ? address.outside.four : address.outside.six;
  put("/etc/resolv.conf", `nameserver ${resolver}\n`);
  const trusted = authority + world.roots;
  put("/etc/ssl/certs/ca-certificates.crt", trusted);
  // openssl looks for a root by the hash of its name.
  for (const root of [authority, world.roots])
    put(`/etc/ssl/certs/${ran(["openssl", "x509", "-noout", "-hash"], root).trim()}.0`, root);
  if (compose && isThisSystem) {
    const plugin = join(files, "usr/local/lib/docker/cli-plugins/docker-compose");
    mkdirSync(dirname(plugin), { recursive: true });
    cpSync(compose, plugin);
  }

  await using started = new AsyncDisposableStack();
  const group = makeGroup();
  started.defer(() => removeGroup(group));
  const spaces = ["--mount", "--pid", "--fork", "--uts", "--ipc", "--cgroup", "--kill-child"];
  const boot = join(import.meta.dirname, "boot-machine.sh");
  const child = spawn(
    "sh",
    [
      ...[
        "-c",
        'echo $$ >"$0/cgroup.procs" && exec "$@"',
        group,
        ...world.network.at(options.place),
      ],
      ...["unshare", ...spaces, "--propagation", "private", "sh", boot, folder, options.root],
      options.name,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let console = "";
  for (const output of [child.stdout, child.stderr])
    output.on("data", (bytes: Buffer) => {
      console += bytes;
    });
  const ended = once(child, "exit");
  started.defer(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const first = await pollUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`The machine did not boot:\n${console}`);
      return readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
    },
    (children) => children !== "",
  );
  const enter = [
    ...["nsenter", "-t", first, "-m", "-p", "-n", "-u", "-i", "-C", "env", "-i"],
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  ];
  const run = (command: string, input?: string) =>
    outcomeOf([...enter, "sh", "-c", command], input === undefined ? {} : { input });
  await pollUntil(
    () => run("systemctl is-system-running"),
    ({ output }) => /^(running|degraded)/.test(output),
    60_000,
  ).catch((error: unknown) => {
    throw new Error(`The machine did not boot: ${error}\n${console}`);
  });
  const transferred = started.move();

  const machine = {
    /** What has to be put before a command so that it runs there. */
    enter,
    /** Runs a line of shell as root, and answers how it ended. */
    run,
    /** The same for what must succeed. */
    async done(command: string, input?: string): Promise<string> {
      const { status, output } = await run(command, input);
      if (status !== 0) throw new Error(`${command} ended with ${status}:\n${output}`);
      return output;
    },
    async firstBoot(): Promise<string> {
      const began = performance.now();
      const output = await machine.done(perBoot);
      const seconds = (performance.now() - began) / 1000;
      measured(isThisSystem ? "first-boot-s" : "first-boot-with-packages-s", seconds);
      return output;
    },
    /** Brings the bundle of a deployment as people download it, and answers its path. */
    async bring(deployment: Deployment): Promise<string> {
      const zip = Buffer.from(zipOf(filesOf(deployment))).toString("base64");
      await machine.done("base64 -d >/root/bundle.zip", zip);
      return "/root/bundle.zip";
    },
    read: (path: string) => machine.done(`cat ${path}`),
    /** Ends everything on it at once, as a fault of its kernel would. */
    kill: () => transferred.disposeAsync(),
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
  return machine;
}

const cloudConfig = z.object({
  write_files: z.array(
    z.object({
      path: z.string(),
      content: z.string(),
      permissions: z.optional(z.string()),
      encoding: z.optional(z.literal("gz+b64")),
    }),
  ),
});

export type Deployment = Pick<MachineOptions, "answers" | "connection">;

/** The files of a deployment. */
export function filesOf({ answers, connection }: Deployment) {
  const { options, problems } = parseOptions({
    domain: "livekit.example.com",
    email: "operator@example.com",
    ...answers,
  });
  if (!options) throw new Error(JSON.stringify(problems));
  return bundle(options, undefined, connection).files;
}

/** The files that cloud-init writes from a deployment's user data. */
function userData(deployment: Deployment) {
  const file = filesOf(deployment).find(({ path }) => path === "cloud-init.yaml");
  return cloudConfig.parse(parse(file?.content ?? "")).write_files.map((entry) => ({
    path: entry.path,
    content: entry.encoding ? gunzipSync(Buffer.from(entry.content, "base64")) : entry.content,
    mode: Number.parseInt(entry.permissions ?? "0644", 8),
  }));
}

/** A control group of its own, which the machine sees as the whole tree. */
function makeGroup(): string {
  const root = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].find((path) =>
    existsSync(join(path, "cgroup.controllers")),
  );
  if (!root) throw new Error("There are no control groups of version 2 under /sys/fs/cgroup.");
  return mkdtempSync(join(root, "livekit-machine-"));
}

async function removeGroup(group: string): Promise<void> {
  await pollUntil(
    () => {
      try {
        remove(group);
        return true;
      } catch {
        // A process of it is still ending.
        return false;
      }
    },
    (gone) => gone,
  );
}

function remove(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) remove(join(group, entry.name));
  rmdirSync(group);
}
