/** The figures that are stored of a server over time: each list is packed by itself, in its order. */
export const firstFigures = [
  "participants",
  "rooms",
  "load",
  "memory",
  "disk",
  "in",
  "out",
] as const;
/** They came later, and have a column of their own: what a Worker of before wrote and reads stays as it is. */
export const laterFigures = ["cpu", "loss", "jitter", "failedJoins", "recordings"] as const;
export const figures = [...firstFigures, ...laterFigures] as const;

export type Figure = (typeof figures)[number];

/** Numbers that are no whole ones are packed in so many parts of one. */
const scales: { [F in Figure]?: number } = {
  ...{ load: 100, cpu: 10, loss: 100, jitter: 10, failedJoins: 10 },
};
const scaleOf = (figure: Figure): number => scales[figure] ?? 1;

/** What is counted at a moment, and so is a whole number in its least and most. */
const counted: readonly Figure[] = ["participants", "rooms", "recordings"];

/**
 * The figures of one minute; what the machine did not say is left out. Sizes in KiB, traffic in bytes a second, processor
 * time and lost packets in hundredths of all, jitter in milliseconds, failed joins a minute.
 */
export type Sample = { at: number } & { [F in Figure]?: number };

export const minuteMs = 60_000;
export const minutesOfQuarter = 15;
export const quarterMs = minutesOfQuarter * minuteMs;
export const quartersOfDay = 96;

/** Quarters of an hour since 1970. */
export const quarterOf = (time: number): number => Math.floor(time / quarterMs);
/** Days since 1970, of UTC. */
export const dayOf = (quarter: number): number => Math.floor(quarter / quartersOfDay);

/** The least, the mean and the most of a figure in some time. */
export type Spread = { least: number; mean: number; most: number };
export type Spreads = { [F in Figure]?: Spread };

// A number from nothing to 4,000 billion in two bytes: eleven bits of digits and five bits that say how often they are
// doubled. Whole numbers up to 2,047 are exact, larger ones are off by at most a 2,048th.

const maxDigits = 0x7ff;
const largest = 0xfffe;
/** Where nothing was reported. */
const nothing = 0xffff;

/** A negative value, or none, counts as not reported; one that is too large as the largest. */
export function toShort(value: number | undefined): number {
  if (value === undefined || !(value >= 0)) return nothing;
  for (let doubled = 0; doubled < 32; doubled += 1) {
    const digits = Math.round(value / 2 ** doubled);
    if (digits <= maxDigits) return Math.min(largest, (doubled << 11) | digits);
  }
  return largest;
}

export function fromShort(short: number): number | undefined {
  return short === nothing ? undefined : (short & maxDigits) * 2 ** (short >> 11);
}

// A quarter of an hour of one server, packed: a byte that says the version of this form, then for each of the fifteen
// minutes two bytes for each figure, in their order. It has its whole size from the first minute on, so that a row of
// the table never grows.

type Packed = readonly Figure[];

const quarterVersion = 1;
const bytesOfMinute = (packed: Packed) => 2 * packed.length;
const bytesOfQuarter = (packed: Packed) => 1 + minutesOfQuarter * bytesOfMinute(packed);

/** The quarter with one more sample, which replaces one of the same minute. What cannot be read is given up. */
export function withSample(
  stored: ArrayBuffer | undefined,
  sample: Sample,
  list: Packed = firstFigures,
): ArrayBuffer {
  const packed = stored && isQuarter(stored, list) ? stored.slice(0) : emptyQuarter(list);
  const view = new DataView(packed);
  const minute = Math.floor(sample.at / minuteMs) % minutesOfQuarter;
  for (const [index, figure] of list.entries()) {
    const value = sample[figure];
    const short = toShort(value === undefined ? undefined : value * scaleOf(figure));
    view.setUint16(1 + minute * bytesOfMinute(list) + 2 * index, short);
  }
  return packed;
}

/** Visits each value of a quarter with the begin of its minute, oldest first. Skips what cannot be read. */
export function readQuarter(
  stored: ArrayBuffer,
  quarter: number,
  visit: (at: number, figure: Figure, value: number) => void,
  list: Packed = firstFigures,
): void {
  if (!isQuarter(stored, list)) return;
  const view = new DataView(stored);
  let place = 1;
  for (let minute = 0; minute < minutesOfQuarter; minute += 1) {
    const at = quarter * quarterMs + minute * minuteMs;
    for (const figure of list) {
      const value = fromShort(view.getUint16(place));
      if (value !== undefined) visit(at, figure, value / scaleOf(figure));
      place += 2;
    }
  }
}

/** The spread of each figure in a quarter. */
export function spreadsOf(stored: ArrayBuffer, list: Packed = firstFigures): Spreads {
  const spreads: Spreads = {};
  const counts: { [F in Figure]?: number } = {};
  const add = (_: number, figure: Figure, value: number) => {
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
  };
  readQuarter(stored, 0, add, list);
  return spreads;
}

function emptyQuarter(list: Packed): ArrayBuffer {
  const packed = new ArrayBuffer(bytesOfQuarter(list));
  const view = new DataView(packed);
  view.setUint8(0, quarterVersion);
  for (let at = 1; at < packed.byteLength; at += 2) view.setUint16(at, nothing);
  return packed;
}

function isQuarter(stored: ArrayBuffer, list: Packed): boolean {
  return (
    stored.byteLength === bytesOfQuarter(list) &&
    new DataView(stored).getUint8(0) === quarterVersion
  );
}

// A day of one server, packed: a byte that says the version of this form, then for each figure two bytes with the most
// of the day and three bytes for each of the 96 quarters of an hour: its least, mean and most, in 254ths of the day's
// most. So a value is off by at most a 508th of the day's most, and a 2,048th; numbers of participants are exact on days
// with at most 254.

const dayVersion = 1;
const steps = 254;
const nothingInDay = 255;
const bytesOfFigure = 2 + 3 * quartersOfDay;
const bytesOfDay = (list: Packed) => 1 + list.length * bytesOfFigure;

/** A fleet has at most so many servers in its life. */
const maxServers = 2 ** 20;

/**
 * The key of a day's row, of the server with this number in its fleet: the day first, so that rows are appended and SQLite
 * fills its pages. The first figures of a day have 2,031 bytes, of which two rows fit in a page of 4 KiB, and the later ones
 * 1,451: a row with both has a page of its own.
 */
export const dayKey = (day: number, number: number): number => day * maxServers + number;
export const dayOfKey = (key: number): number => Math.floor(key / maxServers);

/** Packs the quarters of a day by their place in it. Where nothing was reported there is none. */
export function packDay(
  quarters: readonly (Spreads | undefined)[],
  list: Packed = firstFigures,
): ArrayBuffer {
  const packed = new ArrayBuffer(bytesOfDay(list));
  const view = new DataView(packed);
  const bytes = new Uint8Array(packed).fill(nothingInDay);
  view.setUint8(0, dayVersion);
  for (const [index, figure] of list.entries()) {
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

/** Visits each quarter's spread of each figure, by the quarter's place in the day. Skips what cannot be read. */
export function readDay(
  packed: ArrayBuffer,
  visit: (quarter: number, figure: Figure, least: number, mean: number, most: number) => void,
  list: Packed = firstFigures,
): void {
  const bytes = new Uint8Array(packed);
  if (bytes.length !== bytesOfDay(list) || bytes[0] !== dayVersion) return;
  const view = new DataView(packed);
  for (const [index, figure] of list.entries()) {
    const begin = 1 + index * bytesOfFigure;
    const step = stepOf(view.getUint16(begin), figure);
    const isCounted = counted.includes(figure);
    for (let quarter = 0; quarter < quartersOfDay; quarter += 1) {
      const place = begin + 2 + 3 * quarter;
      const steps = bytes[place] ?? nothingInDay;
      if (steps === nothingInDay) continue;
      const least = steps * step;
      const mean = (bytes[place + 1] ?? 0) * step;
      const most = (bytes[place + 2] ?? 0) * step;
      if (isCounted) visit(quarter, figure, Math.round(least), mean, Math.round(most));
      else visit(quarter, figure, least, mean, most);
    }
  }
}

const stepOf = (short: number, figure: Figure): number =>
  (fromShort(short) ?? 0) / scaleOf(figure) / steps;
