import type { BundleFile } from "./bundle-types.ts";

/** 1 January 1980, the earliest day that a zip can hold. It is fixed, so that the same files make the same bytes. */
const timeless = 0x21;
const deflated = 8;
/** Version 2.0 reads deflated files; 3 in front of it says that the modes are those of Unix. */
const version = 20;
const madeByUnix = (3 << 8) | version;

/** All files in one folder of a zip, with the modes that Unix sets when it unpacks them. */
export async function zipOf(
  files: readonly BundleFile[],
  folder = "livekit",
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, content, installed } of files) {
    const name = encoder.encode(`${folder}/${path}`);
    const plain = encoder.encode(content);
    const packed = await deflate(plain);
    const executable = installed?.mode === "0755" || path.endsWith(".sh");
    const mode = installed?.mode === "0600" ? 0o600 : executable ? 0o755 : 0o644;
    // What an entry and its line of the directory share: flags, method, time, day, checksum and sizes.
    const common = [
      ...[2, version, 2, 0, 2, deflated, 2, 0, 2, timeless, 4, crc32(plain)],
      ...[4, packed.length, 4, plain.length, 2, name.length, 2, 0],
    ];
    const entry = [record([4, 0x04034b50, ...common]), name, packed];
    const attributes = (0o100000 | mode) * 2 ** 16;
    const rest = [2, 0, 2, 0, 2, 0, 4, attributes, 4, offset];
    directory.push(record([4, 0x02014b50, 2, madeByUnix, ...common, ...rest]), name);
    parts.push(...entry);
    offset += sizeOf(entry);
  }
  const counts = [2, 0, 2, 0, 2, files.length, 2, files.length];
  const end = record([4, 0x06054b50, ...counts, 4, sizeOf(directory), 4, offset, 2, 0]);
  return joined([...parts, ...directory, end]);
}

/** Little-endian numbers, each after the number of its bytes. */
function record(fields: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const [size = 0, value = 0] = fields.slice(at, at + 2);
    for (let byte = 0; byte < size; byte++) bytes.push(Math.floor(value / 256 ** byte) % 256);
  }
  return Uint8Array.from(bytes);
}

async function deflate(plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let table: Uint32Array | undefined;

/** The checksum of a zip's entries: CRC-32 with the reversed polynomial. */
function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  let sum = -1;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
