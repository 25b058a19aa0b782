import { expect, test } from "vitest";
import {
  drawn,
  extremesOf,
  height,
  rowsOf,
  valuesOf,
} from "~/features/servers/metrics/chart-drawing.ts";
import { chartsOf } from "~/features/servers/metrics/charts.server.ts";
import { figures, minuteMs, type Sample } from "~/features/servers/metrics/packed-figures.ts";
import { type Range, SeriesOfRange } from "~/features/servers/metrics/series.ts";

const now = Date.parse("2026-11-24T12:03:00Z");

function chartsWith(
  samples: readonly ({ ago: number } & Omit<Sample, "at">)[],
  range: Range = "48h",
) {
  const series = new SeriesOfRange(range, now);
  for (const { ago, ...values } of samples) {
    for (const figure of figures) {
      const value = values[figure];
      if (value !== undefined) series.addMinute(now - ago * minuteMs, figure, value);
    }
  }
  const capacity = { cpus: 4, memory: 16_000, disk: undefined };
  const charts = chartsOf({ series: series.series(), capacity, marks: [] });
  return {
    ...charts,
    charts: charts.charts.map((chart) => {
      const values = valuesOf(chart);
      return { ...chart, values, ...drawn(values, chart.top), rows: rowsOf(charts, values) };
    }),
  };
}

test("a figure that was never reported has no chart", () => {
  const { charts } = chartsWith([{ ago: 0, participants: 2, load: 1 }]);
  expect(charts.map(({ figure }) => figure)).toEqual(["participants", "load"]);
  expect(chartsWith([]).charts).toEqual([]);
});

test("a line ends where nothing was reported, and begins again after it", () => {
  const gapless = chartsWith([
    { ago: 0, participants: 2 },
    { ago: 5, participants: 2 },
  ]);
  expect(gapless.charts[0]?.line.match(/M/g)).toHaveLength(1);
  const gap = chartsWith([
    { ago: 0, participants: 2 },
    { ago: 10, participants: 2 },
  ]);
  expect(gap.charts[0]?.line.match(/M/g)).toHaveLength(2);
  expect(gap.charts[0]?.band.match(/Z/g)).toHaveLength(2);
});

test("the upper edge is how much there is, or a round number above the most", () => {
  const { charts } = chartsWith([{ ago: 0, memory: 4_000, participants: 130, in: 0 }]);
  const tops = Object.fromEntries(charts.map(({ figure, top }) => [figure, top]));
  expect(tops).toEqual({ memory: 16_000, participants: 200, in: 1 });
});

test("a drawing has no number that is none, and stays within its box", () => {
  const { charts, steps } = chartsWith([
    { ago: 0, load: 0, memory: 90_000, out: 1e12 },
    { ago: 2_000, load: 0.01, memory: 1, out: 0 },
  ]);
  for (const { line, band } of charts) {
    const numbers = `${line}${band}`
      .split(/[MLZ ]+/)
      .filter(Boolean)
      .map(Number);
    expect(numbers.every((number) => number >= 0 && number <= Math.max(height, steps))).toBe(true);
  }
});

test("the table says the least, the mean and the most from each time on, and where nothing was reported", () => {
  const { charts } = chartsWith([
    { ago: 0, participants: 2 },
    { ago: 30, participants: 4 },
  ]);
  const rows = charts[0]?.rows ?? [];
  expect(rows).toHaveLength(24);
  expect(rows[0]).toEqual({ at: "2026-11-22T12:05:00.000Z" });
  expect(rows.at(-1)).toMatchObject({ least: 2, mean: 3, most: 4 });
});

test("the last value is the newest that was reported, not a mean of its step (M7)", () => {
  const disk = [20, 20, 39].map((gib, at) => ({ ago: 2 - at, disk: gib * 1_048_576 }));
  expect(chartsWith(disk).charts[0]).toMatchObject({ figure: "disk", last: 39 * 1_048_576 });
  const { mean } = chartsWith(disk).charts[0]?.values ?? {};
  expect(mean?.at(-1)).toBeLessThan(30 * 1_048_576);
});

test("a server that reports no more has its last value, and one of a servers Worker of before its newest mean", () => {
  const silent = chartsWith([
    { ago: 600, rooms: 4 },
    { ago: 599, rooms: 7 },
  ]);
  expect(silent.charts[0]?.last).toBe(7);
  const { last: _, ...former } = new SeriesOfRange("48h", now).series();
  former.figures.rooms.mean[3] = 5.5;
  former.figures.rooms.least[3] = 5;
  former.figures.rooms.most[3] = 6;
  const capacity = { cpus: undefined, memory: undefined, disk: undefined };
  expect(chartsOf({ series: former, capacity, marks: [] }).charts[0]?.last).toBe(5.5);
});

test("steps of a minute are sent once, as each is its own least and most", () => {
  const [chart] = chartsWith(
    [
      { ago: 0, load: 0.515 },
      { ago: 3, load: 1 },
    ],
    "1h",
  ).charts;
  expect(chart).toMatchObject({
    mean: expect.stringMatching(/^,+1,,,0\.515$/),
    least: "",
    most: "",
  });
  expect(chart && extremesOf(chart.values)).toEqual([0.515, 1]);
});

test("the table of an hour has five minutes in a row, and that of six hours a quarter of an hour", () => {
  const rowsIn = (range: Range) => chartsWith([{ ago: 0, load: 1 }], range).charts[0]?.rows ?? [];
  const minutesOf = ([first, second]: readonly { at: string }[]) =>
    (Date.parse(second?.at ?? "") - Date.parse(first?.at ?? "")) / minuteMs;
  expect([rowsIn("1h").length, minutesOf(rowsIn("1h"))]).toEqual([12, 5]);
  expect([rowsIn("6h").length, minutesOf(rowsIn("6h"))]).toEqual([24, 15]);
});

test("the disk's chart has the lines at which its doctor finds something, and others have none", () => {
  const series = new SeriesOfRange("48h", now);
  series.addMinute(now, "disk", 50);
  series.addMinute(now, "load", 1);
  const shown = { series: series.series(), marks: [] };
  const capacity = { cpus: 2, memory: undefined, disk: 100 };
  const limits = chartsOf({ ...shown, capacity }).charts.map((chart) => chart.limits);
  expect(limits).toEqual([
    [],
    [
      { value: 85, words: "a finding", isCritical: false },
      { value: 95, words: "critical", isCritical: true },
    ],
  ]);
  const unknown = { ...capacity, disk: undefined };
  expect(chartsOf({ ...shown, capacity: unknown }).charts[1]?.limits).toEqual([]);
});

test("thresholds of the team's own are lines too, of the figure that they are set for", () => {
  const series = new SeriesOfRange("48h", now);
  series.addMinute(now, "load", 1);
  series.addMinute(now, "rooms", 1);
  const limit = { value: 3, words: "you are told at once", isCritical: true };
  const capacity = { cpus: 4, memory: undefined, disk: undefined };
  const { charts } = chartsOf({
    ...{ series: series.series(), capacity, marks: [] },
    teamLimits: [{ figure: "load", ...limit }],
  });
  expect(charts.map(({ figure, limits }) => [figure, limits])).toEqual([
    ["rooms", []],
    ["load", [limit]],
  ]);
});
