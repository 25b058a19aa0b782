import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { catalogue } from "../../../../app/features/deployments/bundle/releases.ts";
import { pinned } from "../../../../app/features/deployments/bundle/versions.ts";
import type { MediaRequirements } from "../requirements.ts";
import { ran } from "../world/commands.ts";

type Layer = { digest: string; size: number };

/**
 * Versions of LiveKit that only the proof has: the pinned program under a later tag, one that takes its files and then
 * ends, and an old one whose relays reach every port of their own machine.
 */
export const laterTag = "v1.13.98";
export const brokenTag = "v1.13.99";
export const relayingTag = "v1.13.5";

/** The system's Redis, which cannot read what the one that bundles pin has saved. */
export const olderRedisTag = "7.0.15-alpine";

/**
 * The images of a bundle under their generated names, in the form in which a registry keeps them: what stands in
 * the published ones of LiveKit, Caddy and Redis, from programs of this machine and BusyBox for a shell.
 */
export function makeImages(
  folder: string,
  { programs, system }: MediaRequirements,
  authority: string,
): void {
  mkdirSync(join(folder, "blobs"), { recursive: true });
  const base = layer(folder, (root) => {
    mkdirSync(join(root, "etc/ssl/certs"), { recursive: true });
    mkdirSync(join(root, "tmp"), { mode: 0o1777 });
    install(root, "bin/busybox", system.busybox ?? "");
    for (const name of ran([system.busybox ?? "", "--list"]).split("\n"))
      if (name && name !== "busybox") symlinkSync("busybox", join(root, "bin", name));
    // Caddy asks the authority of the run for certificates as it would ask Let's Encrypt.
    writeFileSync(join(root, "etc/ssl/certs/ca-certificates.crt"), authority);
  });
  const withProgram = (inside: string, program: string) =>
    layer(folder, (root) => install(root, inside, program));
  const livekit = withProgram("livekit-server", programs["livekit-server"]);
  const broken = layer(folder, (root) =>
    writeFileSync(
      join(root, "livekit-server"),
      `#!/bin/sh
case "$*" in *" ports") echo "7880 - HTTP service" ;; *) echo broken && exit 1 ;; esac
`,
      {
        mode: 0o755,
      },
    ),
  );
  const redis = (server: string) =>
    layer(folder, (root) => {
      install(root, "usr/local/bin/redis-server", server);
      install(root, "usr/local/bin/redis-cli", programs["redis-cli"]);
    });
  const caddy = withProgram("usr/bin/caddy", programs.caddy);
  const put = (component: keyof typeof pinned, tag: string, layers: Layer[], entrypoint?: string) =>
    image(folder, pinned[component].image, tag, layers, entrypoint);
  put("livekit", pinned.livekit.tag, [base, livekit]);
  put("livekit", laterTag, [base, livekit]);
  put("livekit", brokenTag, [base, broken]);
  put("livekit", relayingTag, [
    base,
    withProgram("livekit-server", programs["livekit-server-relaying"]),
  ]);
  put("caddy", pinned.caddy.tag, [base, caddy], "/usr/bin/caddy");
  const { lego } = catalogue;
  image(folder, lego.image, lego.pinned, [base, withProgram("lego", programs.lego)], "/lego");
  put("redis", pinned.redis.tag, [base, redis(programs["redis-server"])]);
  put("redis", olderRedisTag, [base, redis(system["redis-server"] ?? "")]);
}

/** A program with the shared libraries that it asks for. */
function install(root: string, inside: string, program: string): void {
  // Of a static program ldd says so, and ends with 1.
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  const libraries = stdout.match(/\/[^\s)]+\.so[^\s)]*/g) ?? [];
  for (const [from, to] of [[program, inside], ...libraries.map((path) => [path, path])]) {
    const target = join(root, to ?? "");
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(from ?? "", target);
  }
}

function layer(folder: string, fill: (root: string) => void): Layer {
  const root = mkdtempSync(join(folder, "layer-"));
  fill(root);
  const archive = `${root}.tar`;
  ran([
    "tar",
    "-C",
    root,
    "--sort=name",
    "--mtime=@0",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "-cf",
    archive,
    ".",
  ]);
  rmSync(root, { recursive: true });
  const digest = `sha256:${ran(["sha256sum", archive]).slice(0, 64)}`;
  renameSync(archive, join(folder, "blobs", digest));
  return { digest, size: statSync(join(folder, "blobs", digest)).size };
}

function image(
  folder: string,
  name: string,
  tag: string,
  layers: Layer[],
  entrypoint?: string,
): void {
  const configuration = blob(folder, {
    architecture: "amd64",
    os: "linux",
    config: {
      Env: ["PATH=/usr/local/bin:/usr/bin:/bin"],
      Labels: { version: tag },
      ...(entrypoint && { Entrypoint: [entrypoint] }),
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
  });
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: "application/vnd.docker.container.image.v1+json", ...configuration },
    layers: layers.map((each) => ({
      mediaType: "application/vnd.docker.image.rootfs.diff.tar.gzip",
      ...each,
    })),
  };
  const { digest } = blob(folder, manifest);
  const at = join(folder, name.includes("/") ? name : `library/${name}`);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, tag), digest);
}

const manifestType = "application/vnd.docker.distribution.manifest.v2+json";

function blob(folder: string, content: object): Layer {
  const text = JSON.stringify(content);
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  writeFileSync(join(folder, "blobs", digest), text);
  return { digest, size: text.length };
}
