import {
  type Figure,
  figures,
  type firstFigures,
  minuteMs,
  quarterMs,
  type Spread,
} from "./packed-figures";

/** For how long a page shows figures, and in how many steps of which length: more than a screen can show. */
const ranges = {
  "1h": { steps: 60, stepMs: minuteMs },
  "6h": { steps: 360, stepMs: minuteMs },
  "48h": { steps: 576, stepMs: 5 * minuteMs },
  "7d": { steps: 672, stepMs: quarterMs },
  "90d": { steps: 720, stepMs: 12 * quarterMs },
} as const;

export type Range = keyof typeof ranges;

/** The range with this name; undefined where there is none. */
export function rangeOf(name: string | null): Range | undefined {
  return name !== null && Object.hasOwn(ranges, name) ? (name as Range) : undefined;
}

/** What is shown of a server where nobody chose: 48 hours, or as much as it can have reported. */
export function rangeSince(enrolledAt: number, now: number): Range {
  const minutes = (now - enrolledAt) / minuteMs;
  if (minutes <= 60) return "1h";
  return minutes <= 360 ? "6h" : "48h";
}

/** Whether the minutes that are stored of a server reach back as far. */
export const isOfMinutes = (range: Range): boolean => ranges[range].stepMs < quarterMs;

type FirstFigure = (typeof firstFigures)[number];
type Steps = { [Part in keyof Spread]: Float32Array };

/**
 * The figures of a server over a range, the later ones unless a servers Worker of before says them: for each figure and step the least, the mean and the most of what was reported
 * in it; NaN where nothing was. `from` is the begin of the first step.
 */
export type Series = {
  range: Range;
  from: number;
  stepMs: number;
  figures: Record<FirstFigure, Steps> & { [F in Figure]?: Steps };
  /** The newest value of each figure that was reported. A servers Worker of before does not say it. */
  last?: { [F in Figure]?: number };
};

/** How much a server has of what the figures count; sizes in KiB. */
export type Capacity = {
  cpus: number | undefined;
  memory: number | undefined;
  disk: number | undefined;
};

/** Takes what was reported in any order, and makes the series that ends with the present step. */
export class SeriesOfRange {
  readonly from: number;
  readonly #range: Range;
  readonly #stepMs: number;
  readonly #figures: Record<Figure, Steps>;
  readonly #minutes: Record<Figure, Float32Array>;
  readonly #last: { [F in Figure]?: number } = {};
  readonly #lastAt: { [F in Figure]?: number } = {};

  constructor(range: Range, now: number) {
    const { steps, stepMs } = ranges[range];
    this.#range = range;
    this.#stepMs = stepMs;
    this.from = (Math.floor(now / stepMs) - steps + 1) * stepMs;
    const empty = () => new Float32Array(steps).fill(Number.NaN);
    const ofEach = <Value>(make: () => Value) =>
      Object.fromEntries(figures.map((figure) => [figure, make()])) as Record<Figure, Value>;
    this.#figures = ofEach(() => ({ least: empty(), mean: empty(), most: empty() }));
    this.#minutes = ofEach(() => new Float32Array(steps));
  }

  /** The value of one minute. */
  addMinute(at: number, figure: Figure, value: number): void {
    this.add(at, figure, value, value, value, 1);
  }

  /**
   * The spread over so many minutes from `at` on. What is not of the range is left out. It is called 60,000 times for 90
   * days, so it makes no objects.
   */
  add(
    at: number,
    figure: Figure,
    least: number,
    mean: number,
    most: number,
    minutes: number,
  ): void {
    const step = Math.floor((at - this.from) / this.#stepMs);
    const parts = this.#figures[figure];
    const counted = this.#minutes[figure];
    const before = counted[step];
    if (before === undefined) return;
    const after = before + minutes;
    counted[step] = after;
    const average = before === 0 ? mean : (parts.mean[step] ?? mean);
    parts.mean[step] = average + ((mean - average) * minutes) / after;
    parts.least[step] = before === 0 ? least : Math.min(parts.least[step] ?? least, least);
    parts.most[step] = before === 0 ? most : Math.max(parts.most[step] ?? most, most);
    this.addLast(at, figure, mean);
  }

  /** A value that is in no step, or in one already: the newest of a figure is its last. */
  addLast(at: number, figure: Figure, value: number): void {
    if (at < (this.#lastAt[figure] ?? this.from)) return;
    this.#lastAt[figure] = at;
    this.#last[figure] = value;
  }

  series(): Series {
    return {
      range: this.#range,
      from: this.from,
      stepMs: this.#stepMs,
      figures: this.#figures,
      last: this.#last,
    };
  }
}
