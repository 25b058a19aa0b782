import { type Figure, figures, quartersOfDay, type Spreads, scaleOf } from "./figures.ts";
import { fromShort, toShort } from "./short-number.ts";

// A day of one server, packed: a byte that says the version of this form, then for each figure two bytes with the most
// of the day and three bytes for each of the 96 quarters of an hour: its least, mean and most, in 254ths of the day's
// most. So a value is off by at most a 508th of the day's most, and a 2,048th; numbers of participants are exact on days
// with at most 254.

const version = 1;
const steps = 254;
const nothing = 255;
const bytesOfFigure = 2 + 3 * quartersOfDay;
const bytesOfDay = 1 + figures.length * bytesOfFigure;

/** A fleet has at most so many servers in its life. */
const mostServers = 2 ** 20;

/**
 * The key of a day's row, of the server with this number in its fleet: the day first, so that rows are appended and SQLite
 * fills its pages. A packed day has 2,031 bytes: of a row with such a key two fit in a page of 4 KiB, and of one byte more
 * only one would.
 */
export const dayKey = (day: number, number: number): number => day * mostServers + number;
export const dayOfKey = (key: number): number => Math.floor(key / mostServers);

/** Packs the quarters of a day by their place in it. Where nothing was reported there is none. */
export function packDay(quarters: readonly (Spreads | undefined)[]): ArrayBuffer {
  const packed = new ArrayBuffer(bytesOfDay);
  const view = new DataView(packed);
  const bytes = new Uint8Array(packed).fill(nothing);
  view.setUint8(0, version);
  for (const [index, figure] of figures.entries()) {
    const begin = 1 + index * bytesOfFigure;
    let most = 0;
    for (const quarter of quarters) most = Math.max(most, quarter?.[figure]?.most ?? 0);
    const short = toShort(most * scaleOf(figure));
    view.setUint16(begin, short);
    const step = stepOf(short, figure);
    for (let at = 0; at < quartersOfDay; at += 1) {
      const spread = quarters[at]?.[figure];
      if (!spread) continue;
      const place = begin + 2 + 3 * at;
      for (const [offset, value] of [spread.least, spread.mean, spread.most].entries()) {
        bytes[place + offset] = step === 0 ? 0 : Math.min(steps, Math.round(value / step));
      }
    }
  }
  return packed;
}

/** Tells each quarter's spread of each figure, by the quarter's place in the day. Nothing of what cannot be read. */
export function readDay(
  packed: ArrayBuffer,
  tell: (quarter: number, figure: Figure, least: number, mean: number, most: number) => void,
): void {
  const bytes = new Uint8Array(packed);
  if (bytes.length !== bytesOfDay || bytes[0] !== version) return;
  const view = new DataView(packed);
  for (const [index, figure] of figures.entries()) {
    const begin = 1 + index * bytesOfFigure;
    const step = stepOf(view.getUint16(begin), figure);
    const isCounted = figure === "participants" || figure === "rooms";
    for (let quarter = 0; quarter < quartersOfDay; quarter += 1) {
      const place = begin + 2 + 3 * quarter;
      const steps = bytes[place] ?? nothing;
      if (steps === nothing) continue;
      const least = steps * step;
      const mean = (bytes[place + 1] ?? 0) * step;
      const most = (bytes[place + 2] ?? 0) * step;
      if (isCounted) tell(quarter, figure, Math.round(least), mean, Math.round(most));
      else tell(quarter, figure, least, mean, most);
    }
  }
}

const stepOf = (short: number, figure: Figure): number =>
  (fromShort(short) ?? 0) / scaleOf(figure) / steps;
