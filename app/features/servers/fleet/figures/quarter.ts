import {
  figures,
  minuteMs,
  minutesOfQuarter,
  quarterMs,
  type Sample,
  type Spreads,
  scaleOf,
} from "./figures";
import { fromShort, nothing, toShort } from "./short-number";

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

/** The samples of a quarter, each at the begin of its minute, oldest first. None of what cannot be read. */
export function samplesOf(stored: ArrayBuffer, quarter: number): Sample[] {
  if (!isQuarter(stored)) return [];
  const view = new DataView(stored);
  const samples: Sample[] = [];
  for (let minute = 0; minute < minutesOfQuarter; minute += 1) {
    const sample: Sample = { at: quarter * quarterMs + minute * minuteMs };
    let isThere = false;
    for (const [index, figure] of figures.entries()) {
      const value = fromShort(view.getUint16(1 + minute * bytesOfMinute + 2 * index));
      if (value === undefined) continue;
      sample[figure] = value / scaleOf(figure);
      isThere = true;
    }
    if (isThere) samples.push(sample);
  }
  return samples;
}

/** The spread of each figure over some samples. */
export function spreadsOf(samples: readonly Sample[]): Spreads {
  const spreads: Spreads = {};
  for (const figure of figures) {
    let [least, most, sum, count] = [Number.POSITIVE_INFINITY, 0, 0, 0];
    for (const { [figure]: value } of samples) {
      if (value === undefined) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
      sum += value;
      count += 1;
    }
    if (count > 0) spreads[figure] = { least, mean: sum / count, most };
  }
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
