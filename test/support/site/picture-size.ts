/** Width and height of an AVIF or a WebP picture, in its own pixels. */
export function pictureSize(bytes: Buffer): [width: number, height: number] {
  if (bytes.toString("latin1", 0, 4) === "RIFF") {
    // A lossy picture, as `npm run pictures` makes it: https://developers.google.com/speed/webp/docs/riff_container
    return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  }
  // The box that says how large the picture is, which its size and four zero bytes surround.
  const at = bytes.indexOf("ispe", 0, "latin1");
  if (at < 0) throw new Error("This is neither AVIF nor WebP.");
  return [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
}
