import { type Figure, figures } from "~/features/servers/metrics/packed-figures";
import type { Capacity, Series } from "~/features/servers/metrics/series";
import { isoOf } from "../iso-of";

/** The height of a drawing in its own units; each step of the range is one unit wide. */
const height = 300;
/** How many rows the table of a chart has. */
const rows = { "48h": 24, "7d": 28, "90d": 30 } as const;

/** A stretch below this share of the range is too short for a line. */
const minShare = 80;

type Parts = Series["figures"][Figure];

/** A figure over a range, drawn: `line`, `band` and `dots` are paths in a box of `steps` times `height`. */
export type Chart = {
  figure: Figure;
  /** What the upper edge stands for: how much the machine has, or a round number above the most. */
  top: number;
  /** The newest value, the least and the most. */
  last: number;
  least: number;
  most: number;
  line: string;
  band: string;
  /** What stands so briefly between two gaps that a line would not be seen. */
  dots: string;
  /** The same as a table: each row from its time on, null where nothing was reported. */
  rows: { at: string; least: number | null; mean: number | null; most: number | null }[];
};

export type Charts = {
  range: Series["range"];
  steps: number;
  height: number;
  /** Where the range begins, its middle and its end, in ISO 8601. */
  ticks: string[];
  charts: Chart[];
};

/** The charts of a server; of a figure that it never reported there is none. */
export function chartsOf({ series, capacity }: { series: Series; capacity: Capacity }): Charts {
  const { range, from, stepMs } = series;
  const steps = series.figures.participants.mean.length;
  const tops: { [F in Figure]?: number | undefined } = {
    load: capacity.cpus,
    memory: capacity.memory,
    disk: capacity.disk,
  };
  return {
    ...{ range, steps, height },
    ticks: [0, steps / 2, steps].map((step) => isoOf(from + step * stepMs)),
    charts: figures.flatMap((figure) => {
      const parts = series.figures[figure];
      const most = largest(parts.most);
      if (most === undefined) return [];
      const last = parts.mean.findLast((value) => !Number.isNaN(value)) ?? 0;
      const top = Math.max(tops[figure] ?? round(most), most) || 1;
      return [
        {
          ...{ figure, top, most, last },
          least: -(largest(parts.least.map((value) => -value)) ?? 0),
          line: lineOf(parts, top),
          band: bandOf(parts, top),
          dots: dotsOf(parts, top),
          rows: rowsOf(series, parts),
        },
      ];
    }),
  };
}

function largest(values: Float32Array): number | undefined {
  const reported = values.filter((value) => !Number.isNaN(value));
  return reported.length === 0 ? undefined : reported.reduce((one, other) => Math.max(one, other));
}

/** The next of 1, 2, 5, 10, 20 …, or of their hundredths. */
function round(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((digit) => digit * power >= value) ?? 10) * power;
}

/** The stretches in which every step has a value: between them nothing was reported. */
function stretchesOf({ mean }: Parts): [from: number, to: number][] {
  const stretches: [number, number][] = [];
  for (const [step, value] of mean.entries()) {
    if (Number.isNaN(value)) continue;
    const last = stretches.at(-1);
    if (last && last[1] === step) last[1] = step + 1;
    else stretches.push([step, step + 1]);
  }
  return stretches;
}

const yOf = (value: number | undefined, top: number): number =>
  Math.round(height - ((value ?? 0) / top) * height);

/** Steps as points at their middle; a stretch begins and ends at the edges of its steps, so that one step is seen too. */
function pointsOf(values: Float32Array, [from, to]: [number, number], top: number): string[] {
  const inner = Array.from({ length: to - from }, (_, index) => {
    const step = from + index;
    return `${step + 0.5} ${yOf(values[step], top)}`;
  });
  return [`${from} ${yOf(values[from], top)}`, ...inner, `${to} ${yOf(values[to - 1], top)}`];
}

function lineOf(parts: Parts, top: number): string {
  return stretchesOf(parts)
    .map((stretch) => `M${pointsOf(parts.mean, stretch, top).join("L")}`)
    .join("");
}

function bandOf(parts: Parts, top: number): string {
  return stretchesOf(parts)
    .map((stretch) => {
      const above = pointsOf(parts.most, stretch, top);
      const below = pointsOf(parts.least, stretch, top).reverse();
      return `M${[...above, ...below].join("L")}Z`;
    })
    .join("");
}

function dotsOf(parts: Parts, top: number): string {
  const shortest = parts.mean.length / minShare;
  return stretchesOf(parts)
    .filter(([from, to]) => to - from < shortest)
    .map(([, to]) => `M${to} ${yOf(parts.mean[to - 1], top)}h0`)
    .join("");
}

function rowsOf({ range, from, stepMs }: Series, { least, mean, most }: Parts): Chart["rows"] {
  const steps = mean.length / rows[range];
  return Array.from({ length: rows[range] }, (_, row) => {
    const [begin, end] = [row * steps, (row + 1) * steps];
    const reported = mean.slice(begin, end).filter((value) => !Number.isNaN(value));
    const sum = reported.reduce((one, other) => one + other, 0);
    return {
      at: isoOf(from + begin * stepMs),
      least: negative(largest(least.slice(begin, end).map((value) => -value))),
      mean: reported.length === 0 ? null : sum / reported.length,
      most: largest(most.slice(begin, end)) ?? null,
    };
  });
}

const negative = (value: number | undefined): number | null =>
  value === undefined ? null : -value;
