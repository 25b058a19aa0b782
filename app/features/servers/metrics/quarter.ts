import {
  type Figure,
  figures,
  minuteMs,
  minutesOfQuarter,
  quarterMs,
  type Sample,
  type Spreads,
  scaleOf,
} from "./figures.ts";
import { fromShort, nothing, toShort } from "./short-number.ts";

// A quarter of an hour of one server, packed: a byte that says the version of this form, then for each of the fifteen
// minutes two bytes for each figure, in their order. It has its whole size from the first minute on, so that a row of
// the table never grows.

const version = 1;
const bytesOfMinute = 2 * figures.length;
const bytesOfQuarter = 1 + minutesOfQuarter * bytesOfMinute;

/** The quarter with one more sample, which replaces one of the same minute. What cannot be read is given up. */
export function withSample(stored: ArrayBuffer | undefined, sample: Sample): ArrayBuffer {
  const packed = stored && isQuarter(stored) ? stored.slice(0) : emptyQuarter();
  const view = new DataView(packed);
  const minute = Math.floor(sample.at / minuteMs) % minutesOfQuarter;
  for (const [index, figure] of figures.entries()) {
    const value = sample[figure];
    const short = toShort(value === undefined ? undefined : value * scaleOf(figure));
    view.setUint16(1 + minute * bytesOfMinute + 2 * index, short);
  }
  return packed;
}

/** Tells each value of a quarter with the begin of its minute, oldest first. Nothing of what cannot be read. */
export function readQuarter(
  stored: ArrayBuffer,
  quarter: number,
  tell: (at: number, figure: Figure, value: number) => void,
): void {
  if (!isQuarter(stored)) return;
  const view = new DataView(stored);
  let place = 1;
  for (let minute = 0; minute < minutesOfQuarter; minute += 1) {
    const at = quarter * quarterMs + minute * minuteMs;
    for (const figure of figures) {
      const value = fromShort(view.getUint16(place));
      if (value !== undefined) tell(at, figure, value / scaleOf(figure));
      place += 2;
    }
  }
}

/** The spread of each figure in a quarter. */
export function spreadsOf(stored: ArrayBuffer): Spreads {
  const spreads: Spreads = {};
  const counts: { [F in Figure]?: number } = {};
  readQuarter(stored, 0, (_, figure, value) => {
    const spread = spreads[figure];
    const count = (counts[figure] ?? 0) + 1;
    counts[figure] = count;
    if (!spread) {
      spreads[figure] = { least: value, mean: value, most: value };
      return;
    }
    spread.least = Math.min(spread.least, value);
    spread.mean += (value - spread.mean) / count;
    spread.most = Math.max(spread.most, value);
  });
  return spreads;
}

function emptyQuarter(): ArrayBuffer {
  const packed = new ArrayBuffer(bytesOfQuarter);
  const view = new DataView(packed);
  view.setUint8(0, version);
  for (let at = 1; at < bytesOfQuarter; at += 2) view.setUint16(at, nothing);
  return packed;
}

function isQuarter(stored: ArrayBuffer): boolean {
  return stored.byteLength === bytesOfQuarter && new DataView(stored).getUint8(0) === version;
}
