import type { Figure } from "~/features/servers/metrics/packed-figures";
import type { Capacity, Series } from "~/features/servers/metrics/series";
import { isoOf } from "../iso-of";

type Parts = Series["figures"]["participants"];

/** A figure over a range. `mean`, `least` and `most` are as `textOf` writes them. */
export type Chart = {
  figure: Figure;
  /** What the upper edge stands for: how much the machine has, or a round number above the most. */
  top: number;
  /** The newest value. */
  last: number;
  mean: string;
  /** Empty where they are the same as the mean, as in steps of a minute. */
  least: string;
  most: string;
  /** Values from which on something is said to be wrong. */
  limits: Limit[];
};

/** `words`: what it is from there on, such as "critical". */
export type Limit = { value: number; words: string; isCritical: boolean };

/** The doctor's, of a disk: as in the bundle's doctor/machine.sh. */
const diskLimits = [
  { share: 0.85, words: "a finding", isCritical: false },
  { share: 0.95, words: "critical", isCritical: true },
] as const;

/** What happened in the time of a chart: an incident, or a moment at which the server changed. */
export type Mark = {
  kind: "page" | "notify" | "update" | "reboot" | "restart";
  /** In words, such as "Update: livekit v1.13.5 → v1.13.6". */
  words: string;
  /** In ISO 8601; without an end it is a moment, or lasts. */
  at: string;
  until?: string;
  /** Where it begins and ends, in steps of the chart. */
  from: number;
  to: number;
};

/** What Egress reckons for a recording of a whole room, and which part of all cores it takes: its defaults. */
const coresOfRoom = 4;
const egressShare = 0.8;

export type Charts = {
  range: Series["range"];
  /** When the first step begins, in milliseconds since 1970, how long each is, and how many there are. */
  from: number;
  stepMs: number;
  steps: number;
  /** Where each quarter of the range begins, and its end, in ISO 8601. */
  ticks: string[];
  marks: Mark[];
  charts: Chart[];
};

type Shown = {
  series: Series;
  capacity: Capacity;
  marks: Mark[];
  /** Those that the team set. */
  teamLimits?: readonly (Limit & { figure: Figure })[];
};

/** In which order a page shows them. */
const shown: readonly Figure[] = [
  ...(["participants", "rooms", "cpu", "load", "memory", "disk", "in", "out"] as const),
  ...(["loss", "jitter", "failedJoins", "recordings"] as const),
];

/** The charts of a server; of a figure that it never reported there is none. */
export function chartsOf({ series, capacity, marks, teamLimits = [] }: Shown): Charts {
  const { range, from, stepMs } = series;
  const steps = series.figures.participants.mean.length;
  const tops: { [F in Figure]?: number | undefined } = {
    load: capacity.cpus,
    cpu: 100,
    memory: capacity.memory,
    disk: capacity.disk,
  };
  return {
    ...{ range, from, stepMs, steps },
    ticks: [0, 1, 2, 3, 4].map((part) => isoOf(from + (part * steps * stepMs) / 4)),
    marks,
    charts: shown.flatMap((figure) => {
      const parts = series.figures[figure];
      // A servers Worker of before does not have all of them.
      const reported = parts?.most.filter((value) => !Number.isNaN(value));
      if (!parts || !reported?.length) return [];
      const most = reported.reduce((one, other) => Math.max(one, other));
      // A servers Worker of before does not say the newest value.
      const newest = parts.mean.findLast((value) => !Number.isNaN(value)) ?? 0;
      return [
        {
          figure,
          top: Math.max(tops[figure] ?? round(most), most) || 1,
          last: series.last?.[figure] ?? newest,
          ...textsOf(parts),
          limits: [
            ...limitsOf(figure, capacity),
            ...teamLimits.flatMap(({ figure: of, ...limit }) => (of === figure ? [limit] : [])),
          ],
        },
      ];
    }),
  };
}

function limitsOf(figure: Figure, { disk, cpus = 0 }: Capacity): Limit[] {
  if (figure === "disk" && disk !== undefined)
    return diskLimits.map(({ share, ...limit }) => ({ ...limit, value: share * disk }));
  const rooms = Math.floor((cpus * egressShare) / coresOfRoom);
  return figure === "recordings" && rooms > 0
    ? [{ value: rooms, words: "full with recordings of whole rooms", isCritical: false }]
    : [];
}

function textsOf({ mean, least, most }: Parts): Pick<Chart, "mean" | "least" | "most"> {
  const texts = { mean: textOf(mean), least: textOf(least), most: textOf(most) };
  const isSame = texts.least === texts.mean && texts.most === texts.mean;
  return isSame ? { ...texts, least: "", most: "" } : texts;
}

/** A number for each step with commas between them, and nothing where nothing was reported: a tenth of what JSON takes. */
const textOf = (values: Float32Array): string =>
  Array.from(values, (value) =>
    Number.isNaN(value) ? "" : String(Number(value.toPrecision(4))),
  ).join();

/** The next of 1, 2, 5, 10, 20 …, or of their hundredths. */
function round(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((digit) => digit * power >= value) ?? 10) * power;
}
