import * as z from "zod/mini";
import type { Sample } from "./server-record";

/** One row of the table holds a quarter of an hour of one server. */
const quarterMs = 15 * 60_000;
export const keptMs = 48 * 60 * 60_000;

export const quarterOf = (time: number): number => Math.floor(time / quarterMs);

const figures = ["participants", "rooms", "load", "memory", "disk", "in", "out"] as const;
const row = z.array(z.array(z.nullable(z.number())));

/** A row with one more sample, which replaces one of the same minute. */
export function withSample(stored: string | undefined, sample: Sample): string {
  const minute = Math.floor(sample.at / 60_000);
  const others = stored ? unpackSamples(stored) : [];
  const kept = others.filter(({ at }) => Math.floor(at / 60_000) !== minute);
  return JSON.stringify([...kept, sample].map(packed));
}

export function unpackSamples(stored: string): Sample[] {
  return row.parse(JSON.parse(stored)).map(([at, ...values]) => ({
    at: at ?? 0,
    ...Object.fromEntries(
      figures.flatMap((figure, index) => {
        const value = values[index];
        return value === null || value === undefined ? [] : [[figure, value]];
      }),
    ),
  }));
}

function packed(sample: Sample): (number | null)[] {
  return [sample.at, ...figures.map((figure) => sample[figure] ?? null)];
}
