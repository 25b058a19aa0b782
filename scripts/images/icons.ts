import { readFileSync } from "node:fs";
import { themeColors } from "../../app/ui/chrome/theme.ts";

const mark = readFileSync("public/favicon.svg", "utf8");

/** The brand mark on paper. `share` is how much of the width it takes. */
function icon(path: string, size: number, share: number, corner = 0) {
  const html = `<!doctype html><style>
html, body { margin: 0; background: none }
.tile { display: grid; place-items: center; width: ${size}px; height: ${size}px; border-radius: ${corner}px; background: ${themeColors.light} }
svg { width: ${share * 100}%; height: auto }
</style><div class="tile">${mark}</div>`;
  return { html, width: size, height: size, path };
}

/** Icons for home screens. Launchers cut a maskable one to a circle of four fifths of its width. */
export const icons = [
  icon("icon-192.png", 192, 0.7, 36),
  icon("icon-512.png", 512, 0.7, 96),
  icon("icon-maskable-512.png", 512, 0.5),
  icon("apple-touch-icon.png", 180, 0.66),
  // Feed readers and old browsers ask for this name, whatever a page says.
  icon("favicon.ico", 32, 0.8, 6),
];

/** A picture as an .ico: a list with one entry, which is the PNG itself (Windows Vista and later, and every browser). */
export function icoOf(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
