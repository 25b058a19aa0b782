import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

/** Built programs that run for a published image, and the two of the certificate authority. */
const builtPrograms = ["livekit-server", "caddy", "pebble", "pebble-challtestsrv"] as const;
export type BuiltProgram = (typeof builtPrograms)[number];

/** What the proof uses of the system, and the package of Debian and Ubuntu that has it. */
const systemPrograms: Readonly<Record<string, string>> = {
  dockerd: "docker.io",
  ip: "iproute2",
  nft: "nftables",
  iptables: "iptables",
  nsenter: "util-linux",
  unshare: "util-linux",
  openssl: "openssl",
  curl: "curl",
  age: "age",
  python3: "python3",
  "redis-server": "redis-server",
  "redis-cli": "redis-server",
  busybox: "busybox",
};

export interface MediaRequirements {
  /** The file of each built program. */
  programs: Record<BuiltProgram, string>;
  /** The file of each of the system's programs. */
  system: Record<string, string>;
  /** Docker's plugin for Compose, where the system has none. */
  compose: string | undefined;
}

const build =
  "They are built with Go 1.26 into the folder that MEDIA_PROGRAMS names:\n" +
  "  export MEDIA_PROGRAMS=$HOME/media-programs && test/real/media/build-programs.sh";

/** Looks for everything that the proof needs. Throws sentences that say what is missing and how to get it. */
export function findMediaRequirements(environment = process.env): MediaRequirements {
  const missing: string[] = [];
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    missing.push(
      'The machine of the proof is booted in namespaces of Linux, for root only: sudo -E env "PATH=$PATH" npm run proof:real media',
    );
  }
  const system: Record<string, string> = {};
  const absent = new Set<string>();
  for (const [program, name] of Object.entries(systemPrograms)) {
    const found = find(program);
    if (found) system[program] = found;
    else absent.add(name);
  }
  if (!existsSync("/lib/systemd/systemd")) absent.add("systemd");
  if (absent.size > 0) {
    missing.push(
      `Programs of the system are missing. On Debian and Ubuntu: sudo apt-get install --no-install-recommends ${[...absent].join(" ")}`,
    );
  }
  const folder = environment.MEDIA_PROGRAMS ?? "";
  const programs = Object.fromEntries(
    builtPrograms.map((name) => [name, join(folder, name)]),
  ) as Record<BuiltProgram, string>;
  const unbuilt = builtPrograms.filter((name) => !folder || !isExecutable(programs[name]));
  if (unbuilt.length > 0) missing.push(`Not found: ${unbuilt.join(", ")}. ${build}`);
  const composePlugin = join(folder, "docker-compose");
  const compose = folder && isExecutable(composePlugin) ? composePlugin : undefined;
  if (!compose && spawnSync("/usr/bin/docker", ["compose", "version"]).status !== 0) {
    missing.push(
      "Docker's plugin for Compose is missing. On Ubuntu: sudo apt-get install docker-compose-v2. Elsewhere put it\n" +
        "  into MEDIA_PROGRAMS under the name docker-compose: the cmd of the Go module github.com/docker/compose/v2 v2.40.3.",
    );
  }
  if (spawnSync("go", ["version"]).status !== 0)
    missing.push("Go is missing (1.26 or later): it builds the client. See https://go.dev/dl/");
  if (missing.length > 0) throw new PlainFailure(missing.join("\n"));
  return { programs, system, compose };
}

function find(program: string): string | undefined {
  return ["/usr/local/sbin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
