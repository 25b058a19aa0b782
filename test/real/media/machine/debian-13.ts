import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outcomeOf, ran } from "../world/commands.ts";

/** What an image for clouds has of a system's packages, as far as a bundle needs it. */
const ofImage = [
  ...["systemd-sysv", "dbus", "iproute2", "openssh-server"],
  ...["ca-certificates", "curl", "openssl", "python3"],
];

/** The packages of a first boot by their names in Debian 13. */
const ofFirstBoot = [
  ...["docker.io", "docker-cli", "docker-compose", "nftables", "curl", "python3"],
  "unattended-upgrades",
];

/**
 * The root of a Debian 13 that never booted, in memory. The proof's machines reach no mirror, so its apt has in its cache
 * what a first boot installs, and installs nothing yet.
 */
export async function makeDebian13(): Promise<{ root: string } & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const root = mkdtempSync(join(tmpdir(), "debian-13-"));
  started.defer(() => rmSync(root, { recursive: true }));
  ran(["mount", "-t", "tmpfs", "-o", "mode=755,size=2g", "debian-13", root]);
  started.defer(() => {
    ran(["umount", "-l", root]);
  });
  const done = async (command: readonly string[]) => {
    const { status, output } = await outcomeOf(command, {
      environment: { DEBIAN_FRONTEND: "noninteractive" },
    });
    if (status !== 0)
      throw new Error(`A mirror of Debian is needed. ${command.join(" ")}: ${output.slice(-2000)}`);
  };
  await done(["debootstrap", "--variant=minbase", `--include=${ofImage}`, "trixie", root]);
  await done(["chroot", root, "apt-get", "-q", "update"]);
  await done(["chroot", root, "apt-get", "-qy", "install", "--download-only", ...ofFirstBoot]);
  const transferred = started.move();
  return { root, [Symbol.asyncDispose]: () => transferred.disposeAsync() };
}
