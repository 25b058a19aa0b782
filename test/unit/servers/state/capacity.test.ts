import { expect, test } from "vitest";
import { carriesOf, clusterCapacity, peakOf } from "~/features/servers/state/capacity.ts";

const quiet = { people: 0, load: 5, cpus: 4, isWell: true, day: [] };

test("a machine without load carries what its processors are planned for", () => {
  expect(carriesOf({ people: 3, load: 40, cpus: 4 })).toEqual({ people: 112, isMeasured: false });
  expect(carriesOf({ people: 80, load: 14, cpus: 4 })).toEqual({ people: 112, isMeasured: false });
  expect(carriesOf({ people: 3, load: undefined, cpus: undefined })).toBeUndefined();
});

test("with people and load it carries what that load says, up to 60 % of its processors", () => {
  expect(carriesOf({ people: 40, load: 30, cpus: 4 })).toEqual({ people: 80, isMeasured: true });
  expect(carriesOf({ people: 90, load: 90, cpus: 4 })).toEqual({ people: 60, isMeasured: true });
  // Each person takes two of 10,001 UDP ports.
  expect(carriesOf({ people: 4_000, load: 20, cpus: 64 })?.people).toBe(5_000);
});

test("a cluster has a spare machine where the busiest half hour fits without the largest", () => {
  const three = [quiet, quiet, { ...quiet, cpus: 8 }];
  expect(clusterCapacity(three)).toEqual({
    ...{ people: 0, peak: 0, carries: 448, left: 448, withoutLargest: 224, largestRoom: 224 },
    ...{ hasSpare: true, advice: "enough", basis: "planned" },
  });
  const day = (people: number) => three.map((node) => ({ ...node, day: [null, people / 3] }));
  expect(clusterCapacity(day(180))).toMatchObject({ hasSpare: true, advice: "soon", peak: 180 });
  expect(clusterCapacity(day(225))).toMatchObject({ hasSpare: false, advice: "now" });
});

test("what is not well carries nobody, and one machine alone has no spare", () => {
  const two = [
    { ...quiet, people: 30 },
    { ...quiet, isWell: false, people: 50 },
  ];
  expect(clusterCapacity(two)).toMatchObject({
    ...{ people: 30, carries: 112, left: 82, hasSpare: false, advice: "now", largestRoom: 112 },
  });
  expect(clusterCapacity([{ ...quiet, isWell: false }])).toBeUndefined();
});

test("it says what the estimate rests on", () => {
  const busy = { ...quiet, people: 40, load: 30 };
  expect(clusterCapacity([busy, busy])?.basis).toBe("measured");
  expect(clusterCapacity([busy, quiet])?.basis).toBe("both");
});

test("the busiest half hour is that of all machines together", () => {
  expect(peakOf([[5, 1, null], [0, 6, 3], [2]])).toBe(7);
});
