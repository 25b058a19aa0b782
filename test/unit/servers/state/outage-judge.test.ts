import { expect, test } from "vitest";
import {
  type Fall,
  type JudgedOutage,
  judgeOutage,
} from "~/features/servers/state/ingest-outage.server.ts";
import { seededRandom } from "../../../support/site/random.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;

/** An owner's servers, of which some are silent. */
type Owner = { servers: number; silent?: number };

/** So many owners, each with so many servers, of which some fall silent: one owner's every `apart` milliseconds. */
function falling(count: number, servers: number, fell: number, apart = 1_000) {
  return Array.from({ length: count }, (_, at) => ({ servers, fell, at: begin + at * apart }));
}
const steady = (count: number, servers: number) => falling(count, servers, 0);

/** The judgement when the last of these has been reported. */
function judged(all: readonly ReturnType<typeof falling>[number][]) {
  const owners = new Map<string, Required<Owner>>();
  const falls: Fall[] = [];
  for (const [index, { servers, fell, at }] of all.entries()) {
    const owner = `owner-${index}`;
    owners.set(owner, { servers, silent: fell });
    if (fell > 0) falls.push({ owner, at, count: fell });
  }
  return judgeOutage(undefined, { owners, falls }, Math.max(...falls.map(({ at }) => at)));
}

test.for([
  ["all of twenty owners' 50", falling(20, 50, 50), true],
  ["one of ten servers of each of 60 owners", falling(60, 10, 1), true],
  ["one server of 5 % of a thousand owners", [...falling(50, 1, 1), ...steady(950, 1)], false],
  ["one server of 7 % of a thousand owners", [...falling(70, 1, 1), ...steady(930, 1)], true],
  ["all of two owners", falling(2, 5, 5), false],
  ["all of four owners, of nobody else", falling(4, 50, 50), false],
  ["all of five owners", falling(5, 3, 3), true],
  ["nine of nine", falling(9, 1, 1), false],
  ["one owner's 500 of 2,000", [...falling(1, 500, 500), ...steady(75, 20)], false],
  [
    "three owners' 500 and one of a fourth",
    [...falling(3, 500, 500), ...falling(1, 5, 1), ...steady(5, 5)],
    false,
  ],
  [
    "three owners' 500 and all of six others'",
    [...falling(3, 500, 500), ...falling(6, 2, 2)],
    true,
  ],
  [
    "one owner's 500, where five others lose one of twenty",
    [...falling(1, 500, 500), ...falling(5, 20, 1), ...steady(20, 20)],
    false,
  ],
  ["all of twelve owners within an hour", falling(12, 3, 3, 5 * minute), false],
] as const)("%s that fall silent: %#", ([, all, isOurs]) => {
  expect(judged(all) !== undefined).toBe(isOurs);
  if (isOurs) expect(judged(all)?.since).toBe(begin);
});

test("whatever three owners do, with any number of servers and in any order, two others' silence stays theirs (N1)", () => {
  const random = seededRandom(20261128);
  for (let round = 0; round < 500; round++) {
    const attackers = Array.from({ length: 3 }, () => {
      const servers = 1 + random.below(500);
      return { servers, fell: 1 + random.below(servers), at: 0 };
    });
    const honest = steady(5 + random.below(40), 1 + random.below(12));
    const victims = honest.slice(0, 2).map((each) => ({ ...each, fell: 1 }));
    const all = random
      .shuffled([...attackers, ...victims, ...honest.slice(2)])
      .map((each) => ({ ...each, at: begin + random.below(4 * minute) }));
    expect(judged(all), JSON.stringify(all)).toBeUndefined();
  }
});

const outage: JudgedOutage = { since: begin, before: 4, fell: 100 };
const later = begin + 10 * minute;

/** So many owners of one server each, of whom some are silent, beside three of which all are. */
function silences(servers: number, silent: number) {
  const owners = new Map<string, Required<Owner>>();
  for (let at = 0; at < servers; at++) owners.set(`owner-${at}`, { servers: 1, silent: 0 });
  for (let at = 0; at < silent; at++) owners.set(`owner-${at}`, { servers: 1, silent: 1 });
  for (const name of ["a", "b", "c"]) owners.set(name, { servers: 20, silent: 20 });
  return { owners, falls: [] };
}

test("it is over when half of those that fell have returned, whoever three others may be", () => {
  expect(judgeOutage(outage, silences(120, 55), later)).toBe(outage);
  expect(judgeOutage(outage, silences(120, 54), later)).toEqual({ ...outage, endedAt: later });
});

test("while it lasts, more servers belong to it", () => {
  expect(judgeOutage(outage, silences(400, 304), later)).toEqual({ ...outage, fell: 300 });
});

test.for([
  ["most servers report", 300, true],
  ["most servers are silent", 140, false],
] as const)("after half an hour in which %s it is another's outage: %#", ([, servers, isOver]) => {
  const now = begin + 30 * minute;
  const judgement = judgeOutage(outage, silences(servers, 104), now);
  expect(judgement?.endedAt).toBe(isOver ? now : undefined);
});

test("what fell silent before an outage ended makes no other one", () => {
  const ended = { ...outage, endedAt: later };
  const falls = Array.from({ length: 20 }, (_, at) => ({
    ...{ owner: `owner-${at}`, at: later - minute, count: 1 },
  }));
  const { owners } = silences(400, 200);
  expect(judgeOutage(ended, { owners, falls }, later + minute)).toBe(ended);
});
