/** Version 9 at level L of ISO/IEC 18004: 53 modules a side, up to 230 bytes, two blocks. */
const side = 53;
const dataPerBlock = 116;
const correctionPerBlock = 30;
const capacity = 230;
const moduleSide = 3;
const alignmentAt = [6, 26, 46];
/** Level L with mask 0, and version 9, each with its own error correction. */
const formatBits = 0b111011111000100;
const versionBits = 0x09a99;

const exponents: number[] = [];
const logarithms: number[] = [];
for (let power = 0, value = 1; power < 255; power++) {
  exponents[power] = value;
  logarithms[value] = power;
  value <<= 1;
  if (value & 256) value ^= 0x11d;
}

function times(one: number, other: number): number {
  if (one === 0 || other === 0) return 0;
  return exponents[((logarithms[one] ?? 0) + (logarithms[other] ?? 0)) % 255] ?? 0;
}

function correctionOf(data: readonly number[]): number[] {
  let generator = [1];
  for (let power = 0; power < correctionPerBlock; power++) {
    const root = exponents[power] ?? 0;
    const grown: number[] = [...generator, 0];
    for (const [index, term] of generator.entries()) {
      grown[index + 1] = (grown[index + 1] ?? 0) ^ times(term, root);
    }
    generator = grown;
  }
  const rest = [...data, ...Array<number>(correctionPerBlock).fill(0)];
  for (let index = 0; index < data.length; index++) {
    const factor = rest[index] ?? 0;
    for (const [offset, term] of generator.entries()) {
      rest[index + offset] = (rest[index + offset] ?? 0) ^ times(term, factor);
    }
  }
  return rest.slice(data.length);
}

function codewords(text: string): number[] {
  const bytes = [...Buffer.from(text)];
  if (bytes.length > capacity) throw new Error(`A QR code here holds ${capacity} bytes`);
  const bits = [4, bytes.length >> 4, bytes.length & 15]
    .map((nibble) => nibble.toString(2).padStart(4, "0"))
    .concat(
      bytes.map((byte) => byte.toString(2).padStart(8, "0")),
      "0000",
    )
    .join("");
  const data = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  for (let pad = 0; data.length < 2 * dataPerBlock; pad++) data.push(pad % 2 ? 0x11 : 0xec);
  const blocks = [data.slice(0, dataPerBlock), data.slice(dataPerBlock)];
  const interleave = (lists: number[][]) =>
    (lists[0] ?? []).flatMap((_, index) => lists.map((list) => list[index] ?? 0));
  return [...interleave(blocks), ...interleave(blocks.map(correctionOf))];
}

/** The modules that are the same in every code of this version; undefined where data goes. */
function patterns(): (boolean | undefined)[][] {
  const grid = Array.from({ length: side }, () => Array<boolean | undefined>(side).fill(undefined));
  const set = (row: number, column: number, dark: boolean) => {
    const line = grid[row];
    if (line && column >= 0 && column < side) line[column] = dark;
  };
  const bit = (bits: number, index: number) => ((bits >> index) & 1) === 1;
  for (let at = 0; at < side; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const row of alignmentAt) {
    for (const column of alignmentAt) {
      if ([row, column].filter((at) => at === 6).length === 2) continue;
      if ((row === 6 && column === 46) || (row === 46 && column === 6)) continue;
      for (let y = -2; y <= 2; y++) {
        for (let x = -2; x <= 2; x++) set(row + y, column + x, Math.max(y ** 2, x ** 2) !== 1);
      }
    }
  }
  for (const [top, left] of [
    [0, 0],
    [0, side - 7],
    [side - 7, 0],
  ] as const) {
    for (let y = -1; y <= 7; y++) {
      for (let x = -1; x <= 7; x++) {
        const ring = Math.max(Math.abs(y - 3), Math.abs(x - 3));
        set(top + y, left + x, ring !== 2 && ring !== 4);
      }
    }
  }
  for (let index = 0; index < 15; index++) {
    const dark = bit(formatBits, index);
    const near = index < 6 ? index : index < 8 ? index + 1 : side - 15 + index;
    set(near, 8, dark);
    const across = index < 8 ? side - 1 - index : index < 9 ? 7 : 14 - index;
    set(8, across, dark);
  }
  set(side - 8, 8, true);
  for (let index = 0; index < 18; index++) {
    const [far, near] = [side - 11 + (index % 3), Math.floor(index / 3)];
    set(far, near, bit(versionBits, index));
    set(near, far, bit(versionBits, index));
  }
  return grid;
}

/**
 * A text of at most 230 bytes as a QR code, drawn as SVG the way Supabase Auth draws it: each module a
 * rectangle of its own, some 200 kB in all.
 */
export function qrCode(text: string): string {
  const grid = patterns();
  const bits = codewords(text)
    .map((word) => word.toString(2).padStart(8, "0"))
    .join("");
  let next = 0;
  for (let right = side - 1, upward = true; right > 0; right -= 2, upward = !upward) {
    if (right === 6) right = 5;
    for (let step = 0; step < side; step++) {
      const row = upward ? side - 1 - step : step;
      for (const column of [right, right - 1]) {
        const line = grid[row];
        if (!line || line[column] !== undefined) continue;
        line[column] = (bits[next++] === "1") !== ((row + column) % 2 === 0);
      }
    }
  }
  const rects = grid.flatMap((line, row) =>
    line.map((dark, column) => {
      const [x, y] = [(row + 4) * moduleSide, (column + 4) * moduleSide];
      const fill = dark ? "black" : "white";
      return `<rect x="${x}" y="${y}" width="${moduleSide}" height="${moduleSide}" style="fill:${fill};stroke:none" />\n`;
    }),
  );
  const size = (side + 8) * moduleSide;
  return `<?xml version="1.0"?>\n<svg width="${size}" height="${size}"\n     xmlns="http://www.w3.org/2000/svg"\n     xmlns:xlink="http://www.w3.org/1999/xlink">\n${rects.join("")}</svg>\n`;
}
