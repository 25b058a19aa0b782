import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { catalogue } from "../../../app/features/deployments/bundle/releases.ts";
import { pinned } from "../../../app/features/deployments/bundle/versions.ts";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

/** Built programs that run for a published image, and the two of the certificate authority. */
export const builtPrograms = [
  "livekit-server",
  "livekit-server-relaying",
  "caddy",
  "lego",
  "redis-server",
  "redis-cli",
  "pebble",
  "pebble-challtestsrv",
] as const;
export type BuiltProgram = (typeof builtPrograms)[number];

/** What the proof uses of the system, and the package of Debian and Ubuntu that has it. */
export const systemPrograms: Readonly<Record<string, string>> = {
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
  // The older of the proof's two.
  "redis-server": "redis-server",
  busybox: "busybox",
  debootstrap: "debootstrap",
};

export interface MediaRequirements {
  /** The file of each built program. */
  programs: Record<BuiltProgram, string>;
  /** The file of each of the system's programs. */
  system: Record<string, string>;
  /** Docker's plugin for Compose, where the system has none. */
  compose: string | undefined;
  /** The version in which each program runs that bundles pin. */
  versions: Record<string, string>;
  /** Sentences about programs that run in another version than the one that bundles pin. */
  notPinned: string[];
}

/** The programs that should have the version which bundles pin, and how each says its version. */
const pinnedPrograms = [
  { program: "livekit-server", tag: pinned.livekit.tag, argument: "--version" },
  { program: "caddy", tag: pinned.caddy.tag, argument: "version" },
  { program: "lego", tag: catalogue.lego.pinned, argument: "--version" },
  { program: "redis-server", tag: pinned.redis.tag, argument: "--version" },
] as const;

const build =
  "They are built with Go 1.26 into the folder that MEDIA_PROGRAMS names:\n" +
  "  export MEDIA_PROGRAMS=$HOME/media-programs && sh test/real/media/build-programs.sh";

/** The system that the proof runs on. */
const thisSystem = {
  isRootOfLinux: process.platform === "linux" && process.getuid?.() === 0,
  isExecutable(path: string): boolean {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  /** What a program prints. Undefined where it fails, or is not there. */
  output(program: string, args: readonly string[]): string | undefined {
    const { status, stdout } = spawnSync(program, args, { encoding: "utf8" });
    return status === 0 ? stdout : undefined;
  },
};

type System = typeof thisSystem;

/** Looks for programs of the system, for a proof that makes network namespaces. What is missing is sentences. */
export function findSystemPrograms(
  names: readonly (keyof typeof systemPrograms)[],
  proof: string,
  { isRootOfLinux, isExecutable }: Pick<System, "isRootOfLinux" | "isExecutable"> = thisSystem,
) {
  const missing: string[] = [];
  if (!isRootOfLinux) {
    missing.push(
      `This proof makes namespaces of Linux, for root only: sudo -E env "PATH=$PATH" npm run proof:real ${proof}`,
    );
  }
  const system: Record<string, string> = {};
  const absent = new Set<string>();
  for (const name of names) {
    const found = systemFolders.map((place) => join(place, name)).find(isExecutable);
    if (found) system[name] = found;
    else absent.add(systemPrograms[name] ?? name);
  }
  if (proof === "media" && !isExecutable("/lib/systemd/systemd")) absent.add("systemd");
  if (absent.size > 0) {
    missing.push(
      `Programs of the system are missing. On Debian and Ubuntu: sudo apt-get install --no-install-recommends ${[...absent].join(" ")}`,
    );
  }
  return { system, missing };
}

/** Looks for everything that the proof needs, and `more` of the system. Throws sentences that say what is missing and how to get it. */
export function findMediaRequirements(
  environment: Record<string, string | undefined> = { ...process.env },
  { isRootOfLinux, isExecutable, output } = thisSystem,
  more: readonly string[] = [],
): MediaRequirements {
  const found = findSystemPrograms([...Object.keys(systemPrograms), ...more], "media", {
    isRootOfLinux,
    isExecutable,
  });
  const { system } = found;
  const missing = [...found.missing];
  const folder = environment.MEDIA_PROGRAMS ?? "";
  const programs = Object.fromEntries(
    builtPrograms.map((name) => [name, join(folder, name)]),
  ) as Record<BuiltProgram, string>;
  const unbuilt = builtPrograms.filter((name) => !folder || !isExecutable(programs[name]));
  if (unbuilt.length > 0) missing.push(`Not found: ${unbuilt.join(", ")}. ${build}`);
  const composePlugin = join(folder, "docker-compose");
  const compose = folder && isExecutable(composePlugin) ? composePlugin : undefined;
  if (!compose && output("/usr/bin/docker", ["compose", "version"]) === undefined) {
    missing.push(
      "Docker's plugin for Compose is missing. On Ubuntu: sudo apt-get install docker-compose-v2. Elsewhere\n" +
        "  build-programs.sh builds it too.",
    );
  }
  if (output("go", ["version"]) === undefined)
    missing.push("Go is missing (1.26 or later): it builds the client. See https://go.dev/dl/");
  const running = pinnedPrograms.map(({ program, tag, argument }) => {
    const wanted = tag.replace(/^v|-.*/g, "");
    const found = /\d+\.\d+\.\d+/.exec(output(programs[program], [argument]) ?? "")?.[0] ?? wanted;
    return { program, tag, wanted, found };
  });
  const outdated = running.filter(({ found, wanted }) => found !== wanted);
  const versions = Object.fromEntries(
    running.map(({ program, tag, wanted, found }) => [
      program.replace("-server", ""),
      found === wanted ? tag : found,
    ]),
  );
  // Not every place can build the pinned Redis: there the proof runs with another one, and says so. CI can.
  const stale = environment.CI
    ? outdated
    : outdated.filter(({ program }) => program !== "redis-server");
  for (const { program, found, wanted } of stale)
    missing.push(`${program} is ${found}, and bundles pin ${wanted}. ${build}`);
  const notPinned = outdated.map(
    ({ program, found, wanted }) => `${program} is ${found} here, and bundles pin ${wanted}.`,
  );
  if (missing.length > 0) throw new PlainFailure(missing.join("\n"));
  return { programs, system, compose, versions, notPinned };
}

const systemFolders = ["/usr/local/sbin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
