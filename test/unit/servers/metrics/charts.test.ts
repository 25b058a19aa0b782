import { expect, test } from "vitest";
import { chartsOf } from "~/features/servers/metrics/charts.server.ts";
import { figures, minuteMs, type Sample } from "~/features/servers/metrics/packed-figures.ts";
import { SeriesOfRange } from "~/features/servers/metrics/series.ts";

const now = Date.parse("2026-11-24T12:03:00Z");

function chartsWith(samples: readonly ({ ago: number } & Omit<Sample, "at">)[]) {
  const series = new SeriesOfRange("48h", now);
  for (const { ago, ...values } of samples) {
    for (const figure of figures) {
      const value = values[figure];
      if (value !== undefined) series.addMinute(now - ago * minuteMs, figure, value);
    }
  }
  const capacity = { cpus: 4, memory: 16_000, disk: undefined };
  return chartsOf({ series: series.series(), capacity });
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
  const { charts, height, steps } = chartsWith([
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
  expect(rows[0]).toEqual({ at: "2026-11-22T12:05:00.000Z", least: null, mean: null, most: null });
  expect(rows.at(-1)).toMatchObject({ least: 2, mean: 3, most: 4 });
});
