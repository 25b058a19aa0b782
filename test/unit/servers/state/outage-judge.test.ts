import { expect, test } from "vitest";
import { type Fall, judgeOutage } from "~/features/servers/state/ingest-outage.server.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;

/** So many servers of each of so many workspaces fall silent, one workspace every `apart` milliseconds. */
function falls(workspaces: number, count: number, apart = 1_000) {
  return Array.from({ length: workspaces }, (_, at) => ({
    ...{ fleet: `fleet-${at}`, at: begin + at * apart, count, servers: count },
  }));
}

/** The judgement when the last of these has been reported. */
function judged(servers: number, fallen: readonly Fall[], former?: never) {
  const silent = fallen.reduce((sum, { count }) => sum + count, 0);
  const now = Math.max(...fallen.map(({ at }) => at));
  return judgeOutage(former, { servers, silent, falls: fallen }, now);
}

const others = (workspaces: number, count: number) =>
  falls(workspaces, count).map((fall) => ({ ...fall, fleet: `other-${fall.fleet}`, servers: 20 }));
const [two, many] = [others(2, 1), others(52, 2)];
/** One customer lost twenty servers, two others one each of their `servers`. */
const besideTwenty = (servers: number) => [
  ...falls(1, 20),
  ...others(2, 1).map((fall) => ({ ...fall, servers })),
];

test.for([
  ["1,000 of 1,000 in 20 workspaces", 1_000, falls(20, 50), true],
  ["6 % of all", 10_000, falls(60, 10), true],
  ["5 % of all", 10_000, falls(50, 10), false],
  ["all of two customers", 10, falls(2, 5), false],
  ["one customer's 500 of 2,000", 2_000, falls(1, 500), false],
  ["nine of nine", 9, falls(3, 3), false],
  ["one customer's 300, and one each of two others", 2_000, [...falls(1, 300), ...two], false],
  ["one customer's 300, and 6 % of all others", 2_000, [...falls(1, 300), ...many], true],
  ["one customer's 20, and one each of two others' three", 26, besideTwenty(3), false],
  ["one customer's 20, and one each of two others' two", 24, besideTwenty(2), false],
  ["one customer's 20, and all of two others", 22, besideTwenty(1), true],
  ["6 % within an hour", 10_000, falls(60, 10, minute), false],
] as const)("%s that fall silent: %#", ([, servers, fallen, isOurs]) => {
  expect(judged(servers, fallen)).toEqual(
    isOurs ? expect.objectContaining({ since: begin }) : undefined,
  );
});

const outage = { since: begin, before: 4, fell: 100 };
const later = begin + 10 * minute;

test("it is over when half of those that fell have returned", () => {
  const missing = (silent: number) =>
    judgeOutage(outage, { servers: 120, silent, falls: [] }, later);
  expect(missing(55)).toBe(outage);
  expect(missing(54)).toEqual({ ...outage, endedAt: later });
});

test("while it lasts, more servers belong to it", () => {
  const more = judgeOutage(outage, { servers: 400, silent: 304, falls: [] }, later);
  expect(more).toEqual({ ...outage, fell: 300 });
});

test.for([
  ["most servers report", 300, true],
  ["most servers are silent", 150, false],
] as const)("after half an hour in which %s it is another's outage: %#", ([, servers, isOver]) => {
  const now = begin + 30 * minute;
  const judgement = judgeOutage(outage, { servers, silent: 104, falls: [] }, now);
  expect(judgement?.endedAt).toBe(isOver ? now : undefined);
});

test("what fell silent before an outage ended makes no other one", () => {
  const ended = { ...outage, endedAt: later };
  const fallen = falls(20, 10).map((fall) => ({ ...fall, at: later - minute }));
  const silences = { servers: 400, silent: 200, falls: fallen };
  expect(judgeOutage(ended, silences, later + minute)).toBe(ended);
});
