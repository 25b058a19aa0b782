import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { gzipSync, strToU8 } from "fflate";
import type { WrittenFile } from "./files/cloud-init.ts";

const blockBytes = 512;

/**
 * The files as one tar, compressed, which a machine unpacks at its root in this order. No time is in it, so that the same
 * files always make the same bytes.
 */
export function archiveOf(files: readonly WrittenFile[]): Uint8Array {
  const parts = files.flatMap(({ path, mode, content }) => {
    const bytes = strToU8(content);
    return [header(path.slice(1), mode, bytes.length), padded(bytes)];
  });
  const end = new Uint8Array(2 * blockBytes);
  const all = [...parts, end];
  const tar = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    tar.set(part, at);
    at += part.length;
  }
  return gzipSync(tar, { level: 9, mtime: 0 });
}

/** Its SHA-256, in hexadecimal. */
export const archiveHash = (archive: Uint8Array): string => bytesToHex(sha256(archive));

function padded(bytes: Uint8Array): Uint8Array {
  const block = new Uint8Array(Math.ceil(bytes.length / blockBytes) * blockBytes);
  block.set(bytes);
  return block;
}

/** The header of a regular file of root's, in the form of POSIX (ustar). */
function header(path: string, mode: string, size: number): Uint8Array {
  const nameBytes = 100;
  if (path.length > nameBytes) throw new Error(`The path ${path} is too long for a tar.`);
  const block = new Uint8Array(blockBytes);
  const write = (at: number, text: string) => block.set(strToU8(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  write(0, path);
  write(100, `${octal(Number.parseInt(mode, 8), 7)}\0`);
  write(108, `${octal(0, 7)}\0${octal(0, 7)}\0`);
  write(124, `${octal(size, 11)}\0${octal(0, 11)}\0`);
  // The checksum is counted as if it were spaces.
  write(148, " ".repeat(8));
  write(156, "0");
  write(257, "ustar\x0000root");
  write(297, "root");
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(148, `${octal(sum, 6)}\0 `);
  return block;
}
