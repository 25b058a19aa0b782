import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installDebianPackages } from "../lib/debian-packages.ts";
import { PlainFailure } from "../lib/terminal.mjs";

const encoders = ["avifenc", "cwebp", "dwebp", "pngquant"];
const packages = ["libavif-bin", "webp", "pngquant"];

/** Without a subsampling of colours: text in a colour would get a fringe. */
const avif = ["--min", "22", "--max", "32", "--speed", "6", "--yuv", "444", "--jobs", "2"];
const webp = ["-quiet", "-q", "70", "-m", "6", "-sharp_yuv"];

/** Fails with one sentence where an encoder is missing and cannot be installed. */
export function ensureEncoders(): void {
  if (encoders.every(isThere)) return;
  installDebianPackages(encoders.join(" and "), packages);
  const missing = encoders.filter((encoder) => !isThere(encoder));
  if (missing.length > 0) {
    throw new PlainFailure(
      `npm run pictures needs ${missing.join(" and ")}: on Debian \`apt-get install ${packages.join(" ")}\`.`,
    );
  }
}

const isThere = (encoder: string) => !spawnSync(encoder, ["--version"]).error;

type Encoded = { avif: Buffer; webp: Buffer };

/** The same picture as AVIF and, for browsers that know none, as WebP: as large as it is, and plain, with this width. */
export function encode(png: Uint8Array, plainWidth: number): { large: Encoded; plain: Encoded } {
  const folder = mkdtempSync(join(tmpdir(), "livekit-deploy-pictures-"));
  const file = (kind: string) => join(folder, `picture.${kind}`);
  try {
    writeFileSync(file("png"), png);
    const large = encodeFile(file);
    // avifenc does not resize, so the plain picture comes from a copy without a loss.
    const resized = ["-quiet", "-lossless", "-resize", String(plainWidth), "0"];
    run("cwebp", [...resized, file("png"), "-o", file("webp")]);
    run("dwebp", ["-quiet", file("webp"), "-o", file("png")]);
    return { large, plain: encodeFile(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The PNG of a folder as both formats, with its own size. */
function encodeFile(file: (kind: string) => string): Encoded {
  run("avifenc", [...avif, file("png"), file("avif")]);
  run("cwebp", [...webp, file("png"), "-o", file("webp")]);
  return { avif: readFileSync(file("avif")), webp: readFileSync(file("webp")) };
}

function run(encoder: string, parameters: readonly string[]): void {
  const { status, stderr } = spawnSync(encoder, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${encoder} failed: ${stderr}`);
}

/** The same PNG with at most 32 colours: a card has few, and their edges. */
export function inFewColours(png: Buffer): Buffer {
  const { status, stdout } = spawnSync("pngquant", ["--speed", "1", "--strip", "32", "-"], {
    input: png,
  });
  if (status !== 0) throw new Error(`pngquant failed with ${status}.`);
  return stdout;
}
