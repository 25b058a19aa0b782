import { type Figure, figures, minuteMs, quarterMs, type Sample, type Spread } from "./figures";

/** For how long a page shows figures, and in how many steps of which length: more than a screen can tell apart. */
const ranges = {
  "48h": { steps: 576, stepMs: 5 * minuteMs },
  "7d": { steps: 672, stepMs: quarterMs },
  "90d": { steps: 720, stepMs: 12 * quarterMs },
} as const;

export type Range = keyof typeof ranges;

/** The range with this name; 48 hours where there is none. */
export function rangeOf(name: string | null): Range {
  return name !== null && Object.hasOwn(ranges, name) ? (name as Range) : "48h";
}

/**
 * The figures of a server over a range: for each figure and step the least, the mean and the most of what was reported
 * in it; NaN where nothing was. `from` is the begin of the first step.
 */
export type Series = {
  range: Range;
  from: number;
  stepMs: number;
  figures: Record<Figure, { [Part in keyof Spread]: Float32Array }>;
};

/** Takes what was reported in any order, and makes the series that ends with the present step. */
export class SeriesOfRange {
  readonly from: number;
  readonly #stepMs: number;
  readonly #range: Range;
  readonly #figures: Series["figures"];
  readonly #minutes: Record<Figure, Float32Array>;

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

  addSample({ at, ...values }: Sample): void {
    for (const figure of figures) {
      const value = values[figure];
      if (value !== undefined) this.add(at, figure, { least: value, mean: value, most: value }, 1);
    }
  }

  /** A spread over so many minutes from `at` on. What is not of the range is left out. */
  add(at: number, figure: Figure, spread: Spread, minutes: number): void {
    const { least, mean, most } = this.#figures[figure];
    const step = Math.floor((at - this.from) / this.#stepMs);
    const [before, lowest = 0, average = 0, highest = 0] = [
      this.#minutes[figure][step],
      least[step],
      mean[step],
      most[step],
    ];
    if (before === undefined) return;
    this.#minutes[figure][step] = before + minutes;
    const isFirst = before === 0;
    least[step] = isFirst ? spread.least : Math.min(lowest, spread.least);
    most[step] = isFirst ? spread.most : Math.max(highest, spread.most);
    mean[step] = isFirst
      ? spread.mean
      : average + ((spread.mean - average) * minutes) / (before + minutes);
  }

  series(): Series {
    return {
      range: this.#range,
      from: this.from,
      stepMs: this.#stepMs,
      figures: this.#figures,
    };
  }
}
