import { expect, test } from "vitest";
import { type Plan, sizeOf, trafficCost } from "~/content/sizing.ts";
import { providers } from "~/features/deployments/bundle/provider-table.ts";
import { planFigures } from "~/ui/reading/sizing/plan-figures.ts";
import { numberOf, tableOf } from "../../support/documentation/tables.ts";

const meeting: Plan = {
  people: 10,
  cameras: 10,
  seen: 9,
  unmuted: 2,
  kbps: 600,
  rooms: 5,
  hours: 100,
};

/** LiveKit's published load tests of one room on 16 cores: packets out per second, and the share of the processor. */
const published = [
  {
    what: "livestream",
    room: { people: 3_001, cameras: 1, seen: 1, unmuted: 0, kbps: 1_416 },
    packets: 560_962,
    busy: 0.92,
  },
  {
    what: "meeting",
    room: { people: 150, cameras: 150, seen: 149, unmuted: 150, kbps: 33 },
    packets: 762_749,
    busy: 0.85,
  },
  {
    what: "audio",
    room: { people: 3_010, cameras: 0, seen: 0, unmuted: 10, kbps: 0 },
    packets: 959_156,
    busy: 0.8,
  },
] as const;

test.each(published)("LiveKit's own $what is not counted too small", ({ room, packets, busy }) => {
  const { roomPackets, roomCores } = sizeOf({ ...room, rooms: 1, hours: 1 });
  expect(roomPackets / packets).toBeGreaterThan(0.999);
  expect(roomPackets / packets).toBeLessThan(1.65);
  expect(roomCores).toBeGreaterThan(busy * 16);
});

test("LiveKit's livestream is counted to the packet's rounding, at 60 % of each core", () => {
  const { roomPackets, roomCores, hour } = sizeOf({
    ...published[0].room,
    rooms: 1,
    hours: 1,
  });
  expect(Math.abs(roomPackets / published[0].packets - 1)).toBeLessThan(0.001);
  expect((0.92 * 16) / roomCores).toBeCloseTo(0.6, 1);
  expect(hour).toBeCloseTo(1_912, 0);
  expect(Math.round(hour * 0.09)).toBe(172);
});

test("nobody receives their own picture or voice, nor more pictures than there are", () => {
  const alone = { ...meeting, people: 1, cameras: 1, unmuted: 1 };
  expect(sizeOf(alone).roomPackets).toBe(0);
  expect(sizeOf({ ...meeting, seen: 50 })).toEqual(sizeOf(meeting));
  expect(sizeOf({ ...meeting, cameras: 50 })).toEqual(sizeOf(meeting));
  expect(sizeOf({ ...meeting, unmuted: 0, kbps: 0 }).packets).toBe(0);
});

test("a plan for several machines counts whole rooms on each, and the ports of each", () => {
  const lecture = { ...meeting, people: 500, cameras: 1, seen: 1, unmuted: 1, kbps: 1_500 };
  const { roomCores, machines, size } = sizeOf({ ...lecture, rooms: 3 });
  expect([Math.round(roomCores * 10) / 10, machines, size]).toEqual([5.4, 3, "Large"]);
  const quiet = { ...meeting, people: 100, cameras: 0, unmuted: 1, rooms: 101 };
  expect(planFigures(quiet, "aws").size).toBe("3 × Large");
  const silent = { ...meeting, people: 3_000, cameras: 0, unmuted: 0, rooms: 3 };
  expect(planFigures(silent, "aws")).toMatchObject({ roomSize: "Small", size: "3 × Large" });
});

test("a room of more people than one machine has ports for fits on no size", () => {
  const hall = { ...meeting, cameras: 0, seen: 0, unmuted: 0, rooms: 1 };
  expect(sizeOf({ ...hall, people: 5_000 })).toMatchObject({ roomSize: "Small", size: "Small" });
  expect(planFigures({ ...hall, people: 10_000, rooms: 2 }, "aws")).toMatchObject({
    roomSize: "no size of ours",
    size: "no size of ours",
  });
});

test("traffic is paid step by step", () => {
  expect(trafficCost("aws", 100)).toBe(0);
  expect(trafficCost("aws", 1_100)).toBeCloseTo(90);
  expect(trafficCost("aws", 20_000)).toBeCloseTo(9_900 * 0.09 + 10_000 * 0.085);
  expect(trafficCost("azure", 200_000)).toBeCloseTo(
    9_900 * 0.087 + 40_000 * 0.083 + 100_000 * 0.07 + 50_000 * 0.05,
  );
  expect(trafficCost("google", 2_000)).toBeCloseTo(120 + 110);
  // Digital Ocean counts in GiB, of which 500 are 536.87 GB.
  expect(trafficCost("digitalocean", 536.87)).toBe(0);
  expect(trafficCost("digitalocean", 1_610.612736)).toBeCloseTo(10);
  expect(Math.round(trafficCost("digitalocean", 1_911.6 + 537))).toBe(18);
});

test("the sizes are those of the wizard", () => {
  const sizes = [2, 4, 8].map(
    (count) =>
      sizeOf({
        ...meeting,
        rooms: 1,
        people: 2,
        cameras: 1,
        seen: 1,
        unmuted: 0,
        kbps: (count - 0.5) * 23_000 * 8 * 0.947,
      }).roomSize,
  );
  expect(sizes).toEqual(["Small", "Medium", "Large"]);
  expect(Object.values(providers.aws.sizes).map(({ cores }) => cores)).toEqual([2, 4, 8]);
});

/** The rooms of the page's examples, in its order. */
const examples: readonly Plan[] = [
  { people: 2, cameras: 2, seen: 1, unmuted: 2, kbps: 1_500, rooms: 20, hours: 1 },
  { ...meeting, hours: 1 },
  { people: 31, cameras: 31, seen: 9, unmuted: 2, kbps: 400, rooms: 4, hours: 1 },
  { people: 301, cameras: 1, seen: 1, unmuted: 1, kbps: 1_500, rooms: 1, hours: 1 },
  { people: 20, cameras: 0, seen: 0, unmuted: 3, kbps: 0, rooms: 50, hours: 1 },
  { ...published[0].room, rooms: 1, hours: 1 },
];

test.each(tableOf("docs/sizing", "What rooms take").map((row, place) => [row, place] as const))(
  "the page's example is what the calculator says: %s",
  ([, packets, cores, size, gigabytes], place) => {
    const plan = examples[place];
    if (!plan) throw new Error("This example has no plan.");
    const load = sizeOf(plan);
    expect(Math.round(load.packets)).toBe(numberOf(packets?.replaceAll(",", "")));
    expect(Math.abs(load.cores - Number(cores))).toBeLessThan(load.cores < 10 ? 0.05 : 0.5);
    expect(load.size ?? "none").toBe(size);
    expect(load.machines).toBe(load.size ? 1 : Number.POSITIVE_INFINITY);
    expect(Math.round(load.hour)).toBe(numberOf(gigabytes?.replaceAll(",", "")));
  },
);

test("the figures say what carries a room and all rooms, and what the traffic costs", () => {
  expect(planFigures(meeting, "aws")).toEqual({
    roomPackets: "8,028",
    roomCores: "0.3",
    roomSize: "Small",
    packets: "40,139",
    cores: "1.7",
    size: "Small",
    megabits: "274",
    hour: "123",
    month: "12,312",
    cost: "1,088",
  });
  expect(planFigures({ ...meeting, rooms: 100 }, "aws").size).toBe("5 × Large");
  expect(planFigures({ ...meeting, people: 3_000, cameras: 3_000 }, "aws")).toMatchObject({
    roomSize: "no size of ours",
    size: "no size of ours",
  });
  const call = { people: 2, cameras: 0, seen: 0, unmuted: 2, kbps: 0, rooms: 1, hours: 0 };
  expect(planFigures(call, "digitalocean")).toMatchObject({ roomCores: "under 0.1", month: "0" });
});
