import * as fc from "fast-check";
import { expect, test } from "vitest";
import { minuteMs } from "~/features/servers/metrics/packed-figures.ts";
import {
  type Range,
  rangeOf,
  rangeSince,
  SeriesOfRange,
} from "~/features/servers/metrics/series.ts";

const now = Date.parse("2026-11-24T12:03:00Z");
const hourMs = 60 * minuteMs;

function seriesWith(range: Range, samples: readonly [ago: number, participants: number][]) {
  const series = new SeriesOfRange(range, now);
  for (const [ago, participants] of samples)
    series.addMinute(now - ago, "participants", participants);
  return series.series();
}

test.for([
  ["1h", hourMs],
  ["6h", 6 * hourMs],
  ["48h", 48 * hourMs],
  ["7d", 7 * 24 * hourMs],
  ["90d", 90 * 24 * hourMs],
] as const)(
  "a series of %s goes so far back, in at most 720 steps, and ends with the present",
  ([range, length]) => {
    const { from, stepMs, figures } = seriesWith(range, [[0, 5]]);
    const steps = figures.participants.most.length;
    expect(steps * stepMs).toBe(length);
    expect(steps).toBeLessThanOrEqual(720);
    expect(from + length).toBeGreaterThan(now);
    expect(from + length - now).toBeLessThanOrEqual(stepMs);
    expect(figures.participants.most.at(-1)).toBe(5);
  },
);

test("steps in which nothing was reported have no number", () => {
  const { figures } = seriesWith("48h", [
    [0, 5],
    [10 * minuteMs, 7],
  ]);
  expect([...figures.participants.mean.slice(-3)]).toEqual([7, Number.NaN, 5]);
  expect(figures.load.mean.every(Number.isNaN)).toBe(true);
});

test("what is older than the range, or later than now, changes nothing", () => {
  const { figures } = seriesWith("48h", [
    [49 * hourMs, 5],
    [-hourMs, 5],
  ]);
  expect(figures.participants.most.every(Number.isNaN)).toBe(true);
});

test("in whatever order reports come, each step has their least, mean and most", () => {
  const reports = fc.array(fc.tuple(fc.nat(2_879), fc.nat(300)), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(reports, (samples) => {
      const series = seriesWith(
        "48h",
        samples.map(([minutes, count]) => [minutes * minuteMs, count]),
      );
      const { least, mean, most } = series.figures.participants;
      for (const [step, average] of mean.entries()) {
        const begin = series.from + step * series.stepMs;
        const there = samples
          .filter(([minutes]) => {
            const at = now - minutes * minuteMs;
            return at >= begin && at < begin + series.stepMs;
          })
          .map(([, count]) => count);
        if (there.length === 0) {
          expect(average).toBeNaN();
          continue;
        }
        expect(least[step]).toBe(Math.min(...there));
        expect(most[step]).toBe(Math.max(...there));
        const wanted = there.reduce((one, other) => one + other) / there.length;
        expect(Math.abs(average - wanted)).toBeLessThan(0.01);
      }
    }),
  );
});

test("a quarter of an hour counts as its minutes do in a longer step", () => {
  const later = now + hourMs;
  const series = new SeriesOfRange("90d", later);
  series.add(later - 10 * minuteMs, "load", 1, 1, 1, 15);
  series.add(later - 2 * minuteMs, "load", 4, 4, 4, 5);
  const { least, mean, most } = series.series().figures.load;
  expect([least.at(-1), mean.at(-1), most.at(-1)]).toEqual([1, 1.75, 4]);
});

test.for([null, "", "1y", "constructor", "toString"])(
  "the address's range %s is none, so that what suits the server's age is shown",
  (name) => {
    expect(rangeOf(name)).toBeUndefined();
    expect(rangeOf("90d")).toBe("90d");
  },
);

test("where nobody chose a range a new server is shown for an hour, then for six, then for 48", () => {
  expect([0, 1, 1.1, 6, 6.1, 2_000].map((hours) => rangeSince(now - hours * hourMs, now))).toEqual([
    ...["1h", "1h", "6h", "6h", "48h", "48h"],
  ]);
});

test("the last value is the newest, in whatever order they come, and also where its day is packed", () => {
  const series = new SeriesOfRange("7d", now);
  series.addMinute(now - hourMs, "rooms", 3);
  series.addMinute(now - 2 * hourMs, "rooms", 9);
  series.add(now - 26 * hourMs, "load", 1, 2, 3, 15);
  series.addLast(now - 26 * hourMs, "load", 2.5);
  series.addLast(now - 9 * 24 * hourMs, "disk", 1);
  expect(series.series().last).toEqual({ rooms: 3, load: 2.5 });
});
