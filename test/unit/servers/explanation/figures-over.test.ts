import { expect, test } from "vitest";
import { figuresOver } from "../../../../app/features/servers/explanation/figures-over.ts";
import { SeriesOfRange } from "../../../../app/features/servers/metrics/series.ts";

const minute = 60_000;
const now = Date.parse("2026-11-28T15:00:00Z");
const capacity = { cpus: 4, memory: 8_000_000, disk: undefined };

function series() {
  const range = new SeriesOfRange("1h", now);
  for (let ago = 59; ago >= 0; ago -= 1) {
    const at = now - ago * minute;
    range.addMinute(at, "loss", ago >= 20 && ago < 30 ? 8 : 0);
    range.addMinute(at, "cpu", 50);
    range.addMinute(at, "memory", 6_000_000);
    range.addMinute(at, "recordings", ago === 25 ? 3 : 0);
  }
  return range.series();
}

test("the figures of a call are those of its own time", () => {
  const call = { from: now - 29 * minute, until: now - 20 * minute };
  expect(figuresOver({ series: series(), capacity }, call)).toEqual({
    ...{ loss: 8, processor: 50, memory: 75, recordings: 3 },
  });
  const after = { from: now - 10 * minute, until: now };
  expect(figuresOver({ series: series(), capacity }, after)).toMatchObject({
    loss: 0,
    recordings: 0,
  });
});

test("of a call from before the range, and of what was not reported, nothing is known", () => {
  const before = { from: now - 120 * minute, until: now - 90 * minute };
  expect(figuresOver({ series: series(), capacity }, before)).toEqual({});
  const empty = new SeriesOfRange("1h", now).series();
  const call = { from: now - 10 * minute, until: now };
  expect(figuresOver({ series: empty, capacity }, call)).toEqual({});
});

test("a machine whose memory is not known has none in use", () => {
  const call = { from: now - 10 * minute, until: now };
  const figures = figuresOver(
    { series: series(), capacity: { ...capacity, memory: undefined } },
    call,
  );
  expect(figures).not.toHaveProperty("memory");
});
