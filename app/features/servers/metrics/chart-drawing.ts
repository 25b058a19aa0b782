import type { Chart, Charts } from "./charts.server";

/** The height of a drawing in its own units; each step of the range is one unit wide. */
export const height = 300;
/** How many rows the table of a chart has. */
const rows = { "1h": 12, "6h": 24, "48h": 24, "7d": 28, "90d": 30 } as const;

/** A stretch below this share of the range is too short for a line. */
const minShare = 80;

/** The numbers of a chart, one for each step; NaN where nothing was reported. */
export type Values = { mean: number[]; least: number[]; most: number[] };

export function valuesOf(chart: Pick<Chart, "mean" | "least" | "most">): Values {
  const mean = numbersOf(chart.mean);
  if (!chart.most) return { mean, least: mean, most: mean };
  return { mean, least: numbersOf(chart.least), most: numbersOf(chart.most) };
}

const numbersOf = (text: string): number[] =>
  text.split(",").map((value) => (value ? Number(value) : Number.NaN));

/**
 * Paths in a box of as many units as steps times `height`: the mean, the least to the most, and what stands so briefly
 * between two gaps that a line would not be seen.
 */
export function drawn(values: Values, top: number): { line: string; band: string; dots: string } {
  const stretches = stretchesOf(values);
  const shortest = values.mean.length / minShare;
  return {
    line: stretches.map((stretch) => `M${pointsOf(values.mean, stretch, top).join("L")}`).join(""),
    band: stretches
      .map((stretch) => {
        const above = pointsOf(values.most, stretch, top);
        const below = pointsOf(values.least, stretch, top).reverse();
        return `M${[...above, ...below].join("L")}Z`;
      })
      .join(""),
    dots: stretches
      .filter(([from, to]) => to - from < shortest)
      .map(([, to]) => `M${to} ${yOf(values.mean[to - 1], top)}h0`)
      .join(""),
  };
}

/** The stretches in which every step has a value: between them nothing was reported. */
function stretchesOf({ mean }: Values): [from: number, to: number][] {
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
function pointsOf(values: readonly number[], [from, to]: [number, number], top: number): string[] {
  const inner = Array.from({ length: to - from }, (_, index) => {
    const step = from + index;
    return `${step + 0.5} ${yOf(values[step], top)}`;
  });
  return [`${from} ${yOf(values[from], top)}`, ...inner, `${to} ${yOf(values[to - 1], top)}`];
}

/** What was reported in some time; without numbers where nothing was. */
export type Spread = { at: string; least?: number; mean?: number; most?: number };

/** The least, the mean and the most of these steps. */
export function spreadOf(
  { from, stepMs }: Pick<Charts, "from" | "stepMs">,
  values: Values,
  begin: number,
  end: number,
): Spread {
  const at = new Date(from + begin * stepMs).toISOString();
  const reported = (of: keyof Values) =>
    values[of].slice(begin, end).filter((value) => !Number.isNaN(value));
  const means = reported("mean");
  if (means.length === 0) return { at };
  return {
    at,
    least: Math.min(...reported("least")),
    mean: means.reduce((sum, value) => sum + value) / means.length,
    most: Math.max(...reported("most")),
  };
}

/** A chart as a table: each row from its time on. */
export function rowsOf(charts: Charts, values: Values): Spread[] {
  const count = rows[charts.range];
  const steps = values.mean.length / count;
  return Array.from({ length: count }, (_, row) =>
    spreadOf(charts, values, row * steps, (row + 1) * steps),
  );
}

/** The least and the most of a chart. */
export function extremesOf({ least, most }: Values): [least: number, most: number] {
  const reported = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value));
  return [Math.min(...reported(least)), Math.max(...reported(most))];
}
