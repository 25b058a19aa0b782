import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type DayLine, dayAt, withParticipants } from "~/features/servers/metrics/day-line.ts";

const noon = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;

/** The line after reports at these minutes after noon. */
function lineOf(...reports: [at: number, participants: number | undefined][]): DayLine | undefined {
  return reports.reduce<DayLine | undefined>(
    (line, [at, participants]) => withParticipants(line, participants, noon + at * minute),
    undefined,
  );
}

test("a day's line has 48 half hours, each with the most participants that were reported in it", () => {
  const line = lineOf([0, 3], [29, 7], [30, 2], [31, undefined], [120, 5]);
  const day = dayAt(line, noon + 121 * minute);
  expect(day).toHaveLength(48);
  expect(day.slice(-6)).toEqual([null, 7, 2, null, null, 5]);
});

test("a server that reported nothing has a day without a number", () => {
  expect(dayAt(lineOf([0, undefined]), noon)).toEqual(Array(48).fill(null));
});

test("what was reported more than 24 hours ago is not in the line", () => {
  const line = lineOf([0, 9]);
  expect(dayAt(line, noon + 23.5 * 60 * minute)[0]).toBe(9);
  expect(dayAt(line, noon + 24 * 60 * minute)).toEqual(Array(48).fill(null));
  expect(dayAt(line, noon + 1_000 * 24 * 60 * minute)).toEqual(Array(48).fill(null));
});

test("whenever reports come, the line says of each half hour what they say together, in at most 48 numbers", () => {
  const reports = fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.nat(100)), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(reports, (unordered) => {
      const inOrder = unordered.toSorted(([one], [other]) => one - other);
      const line = lineOf(...inOrder);
      expect(line?.most.length ?? 0).toBeLessThanOrEqual(48);
      const last = Math.floor((inOrder.at(-1)?.[0] ?? 0) / 30);
      const wanted = Array.from({ length: 48 }, (_, index) => {
        const slot = last - 47 + index;
        const there = inOrder.filter(([at]) => Math.floor(at / 30) === slot);
        return there.length === 0 ? null : Math.max(...there.map(([, most]) => most));
      });
      expect(dayAt(line, noon + last * 30 * minute)).toEqual(wanted);
    }),
  );
});
