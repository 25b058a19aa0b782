import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Figure,
  figures,
  firstFigures,
  fromShort,
  laterFigures,
  minuteMs,
  packDay,
  quarterMs,
  quarterOf,
  readDay,
  readQuarter,
  type Sample,
  type Spreads,
  spreadsOf,
  toShort,
  withSample,
} from "~/features/servers/metrics/packed-figures.ts";

const noon = Date.parse("2026-11-24T12:00:00Z");
const quarter = quarterOf(noon);

/** Counts as LiveKit has them, loads as a machine says them, and sizes up to petabytes. */
const anyOf: Record<Figure, fc.Arbitrary<number>> = {
  participants: fc.nat(2_047),
  rooms: fc.nat(2_047),
  load: fc.nat(2_047).map((hundredths) => hundredths / 100),
  memory: fc.nat(2 ** 31 - 1),
  disk: fc.double({ min: 0, max: 4e12, noNaN: true }),
  in: fc.double({ min: 0, max: 4e12, noNaN: true }),
  out: fc.nat(2 ** 31 - 1),
  cpu: fc.nat(1_000).map((tenths) => tenths / 10),
  loss: fc.nat(2_047).map((hundredths) => hundredths / 100),
  jitter: fc.nat(2_047).map((tenths) => tenths / 10),
  failedJoins: fc.nat(2_047).map((tenths) => tenths / 10),
  recordings: fc.nat(2_047),
};

const ofList = <Key extends Figure>(list: readonly Key[]) =>
  Object.fromEntries(list.map((figure) => [figure, anyOf[figure]])) as Record<
    Key,
    fc.Arbitrary<number>
  >;
const values = fc.record(ofList(firstFigures), { requiredKeys: [] });

const sampleAt = fc
  .tuple(fc.nat(14), fc.nat(minuteMs - 1), values)
  .map(([minute, ms, reported]): Sample => ({ at: noon + minute * minuteMs + ms, ...reported }));

function packed(samples: readonly Sample[]): ArrayBuffer {
  const first = (stored: ArrayBuffer | undefined, sample: Sample) => withSample(stored, sample);
  return samples.reduce<ArrayBuffer | undefined>(first, undefined) ?? new ArrayBuffer(0);
}

/** The samples of a quarter, minute by minute. */
function samplesOf(stored: ArrayBuffer, of: number): Sample[] {
  const samples = new Map<number, Sample>();
  readQuarter(stored, of, (at, figure, value) => {
    samples.set(at, { at, ...samples.get(at), [figure]: value });
  });
  return [...samples.values()];
}

test("a number in two bytes is exact up to 2,047 if whole, and otherwise off by at most a 2,048th", () => {
  fc.assert(fc.property(fc.nat(2_047), (whole) => fromShort(toShort(whole)) === whole));
  fc.assert(
    fc.property(fc.double({ min: 2_048, max: 4.39e12, noNaN: true }), (value) => {
      const back = fromShort(toShort(value)) ?? Number.NaN;
      expect(Math.abs(back - value) / value).toBeLessThanOrEqual(1 / 2_048);
    }),
  );
});

test.for([undefined, -1, Number.NaN])("%s in two bytes is nothing said", (value) => {
  expect(fromShort(toShort(value))).toBeUndefined();
});

test("what is too large for two bytes is the largest number, never nothing and never small", () => {
  for (const value of [4.5e12, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
    expect(fromShort(toShort(value))).toBeGreaterThan(4.39e12);
  }
});

test("the minutes of a quarter come back in order, each with what was said last in it, and others are gaps", () => {
  fc.assert(
    fc.property(fc.array(sampleAt, { maxLength: 30 }), (samples) => {
      const last = new Map(samples.map((sample) => [Math.floor(sample.at / minuteMs), sample]));
      const wanted = [...last]
        .toSorted(([one], [other]) => one - other)
        .filter(([, { at: _, ...reported }]) => Object.keys(reported).length > 0);
      const back = samplesOf(packed(samples), quarter);
      expect(back.map(({ at }) => at / minuteMs)).toEqual(wanted.map(([minute]) => minute));
      for (const [place, [, sample]] of wanted.entries()) {
        expect(Object.keys(back[place] ?? {}).toSorted()).toEqual(Object.keys(sample).toSorted());
        expect(back[place]?.participants).toBe(sample.participants);
        expect(back[place]?.rooms).toBe(sample.rooms);
        expect(back[place]?.load).toBe(sample.load);
        for (const figure of ["memory", "disk", "in", "out"] as const) {
          const [original, restored] = [sample[figure], back[place]?.[figure]];
          if (original === undefined || restored === undefined) continue;
          expect(Math.abs(restored - original)).toBeLessThanOrEqual(
            Math.max(0.5, original / 2_048),
          );
        }
      }
    }),
  );
});

test("the later figures are packed by themselves, and what a Worker of before reads stays as it was", () => {
  const all = fc.record({ ...ofList(firstFigures), ...ofList(laterFigures) });
  fc.assert(
    fc.property(all, (reported) => {
      const sample = { at: noon, ...reported };
      const first = withSample(undefined, sample);
      const later = withSample(undefined, sample, laterFigures);
      expect([first.byteLength, later.byteLength]).toEqual([211, 151]);
      const back: Sample = { at: noon };
      readQuarter(first, quarter, (_, figure, value) => Object.assign(back, { [figure]: value }));
      expect(Object.keys(back)).toHaveLength(1 + firstFigures.length);
      readQuarter(
        later,
        quarter,
        (_, figure, value) => Object.assign(back, { [figure]: value }),
        laterFigures,
      );
      for (const figure of laterFigures) expect(back[figure]).toBe(reported[figure]);
      readQuarter(later, quarter, () => expect.unreachable());
    }),
  );
  const spread = { least: 0.5, mean: 1, most: 20 };
  const day = packDay([{ loss: spread, participants: spread }], laterFigures);
  expect(day.byteLength).toBe(1_451);
  const read: [Figure, number][] = [];
  readDay(day, (_, figure, ___, ____, most) => read.push([figure, most]), laterFigures);
  expect(read).toEqual([["loss", 20]]);
  readDay(day, () => expect.unreachable());
  expect(figures).toEqual([...firstFigures, ...laterFigures]);
});

test("a quarter has its whole size from its first minute on", () => {
  const first = withSample(undefined, { at: noon, participants: 1 });
  const full = packed(
    Array.from({ length: 15 }, (_, minute) => ({ at: noon + minute * minuteMs })),
  );
  expect(first.byteLength).toBe(full.byteLength);
  expect(first.byteLength).toBe(211);
});

test.for([
  ["empty", new ArrayBuffer(0)],
  ["of another version", new Uint8Array(211).fill(9).buffer],
  ["of another length", new Uint8Array(2_032).fill(1).buffer],
] as const)("a row that is %s has no samples, and the next report begins anew", ([, stored]) => {
  expect(samplesOf(stored, quarter)).toEqual([]);
  readDay(stored, () => expect.unreachable());
  const next = withSample(stored, { at: noon, participants: 4 });
  expect(samplesOf(next, quarter)).toEqual([{ at: noon, participants: 4 }]);
});

test("the spread of a quarter is the least, the mean and the most of what was reported in it", () => {
  const at = (minute: number) => noon + minute * minuteMs;
  const samples = [
    { at: at(0), participants: 0, load: 0.5 },
    { at: at(1), participants: 6 },
    { at: at(9), participants: 3, load: 1.5 },
  ];
  expect(spreadsOf(packed(samples))).toEqual({
    participants: { least: 0, mean: 3, most: 6 },
    load: { least: 0.5, mean: 1, most: 1.5 },
  });
});

const quarters = fc.array(
  fc.option(
    fc.array(sampleAt, { minLength: 1, maxLength: 4 }).map((samples) => spreadsOf(packed(samples))),
    { nil: undefined },
  ),
  { minLength: 96, maxLength: 96 },
);

function unpacked(day: ArrayBuffer): Spreads[] {
  const back = Array.from({ length: 96 }, (): Spreads => ({}));
  readDay(day, (place, figure, least, mean, most) => {
    back[place] = { ...back[place], [figure]: { least, mean, most } };
  });
  return back;
}

test("a day comes back with each quarter in its place, off by at most a 508th of the day's most", () => {
  fc.assert(
    fc.property(quarters, (spreads) => {
      const back = unpacked(packDay(spreads));
      for (const figure of firstFigures) {
        const most = Math.max(0, ...spreads.map((each) => each?.[figure]?.most ?? 0));
        const step = figure === "load" ? 0.01 : 1;
        const allowed = most / 508 + most / 2_048 + step / 2;
        for (const [place, wanted] of spreads.entries()) {
          const [given, restored] = [wanted?.[figure], back[place]?.[figure]];
          expect(restored === undefined).toBe(given === undefined);
          for (const part of ["least", "mean", "most"] as const) {
            expect(Math.abs((restored?.[part] ?? 0) - (given?.[part] ?? 0))).toBeLessThanOrEqual(
              allowed,
            );
          }
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("in a day with at most 254 participants their least and most numbers are exact", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(254), { minLength: 2, maxLength: 96 }), (counts) => {
      const spreads = counts.map(
        (count): Spreads => ({
          participants: { least: count, mean: count, most: count },
        }),
      );
      const back = unpacked(packDay(spreads));
      const wanted = counts.map((count) => ({ least: count, most: count }));
      expect(back.slice(0, counts.length).map(({ participants }) => participants)).toMatchObject(
        wanted,
      );
    }),
  );
});

test("a day in which few quarters were reported has those, whatever is not there", () => {
  const spreads: Spreads[] = [];
  spreads[40] = { participants: { least: 1, mean: 2, most: 200 } };
  const back = unpacked(packDay(spreads));
  expect(back[40]?.participants).toMatchObject({ least: 1, most: 200 });
  expect(back.filter(({ participants }) => participants)).toHaveLength(1);
});

test("a day without participants is a day with none, not a gap", () => {
  const back = unpacked(packDay([{ participants: { least: 0, mean: 0, most: 0 } }]));
  expect(back[0]).toEqual({ participants: { least: 0, mean: 0, most: 0 } });
  expect(back[1]).toEqual({});
});

test("a packed day has 2,031 bytes: of one byte more only one would fit in a page of the database", () => {
  expect(packDay([]).byteLength).toBe(2_031);
  expect(quarterMs).toBe(900_000);
});
