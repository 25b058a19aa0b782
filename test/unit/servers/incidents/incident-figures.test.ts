import { expect, test } from "vitest";
import { msByMonth } from "~/features/servers/incidents/down-time.ts";
import type { Cause, Incident } from "~/features/servers/incidents/incident.ts";
import {
  durationWords,
  meanTimes,
  uptimeOf,
  uptimeWords,
} from "~/features/servers/incidents/incident-figures.ts";
import { begin, down, FollowedIncident, minute } from "../../../support/servers/incident-step.ts";

const hour = 60 * minute;
const day = 24 * hour;
const at = (text: string) => Date.parse(`${text}Z`);
const now = at("2026-11-28T12:00:00");

const downCause = (since: number, endedAt?: number): Cause => ({
  ...{ code: "down", subject: "", severity: "page", since },
  ...(endedAt === undefined ? {} : { endedAt }),
});

/** One that is open, unless `more` closes it. */
const incident = (causes: Cause[], more: Partial<Incident> = {}): Incident => ({
  ...{ id: "i-1", server: "s-1", openedAt: causes[0]?.since ?? now, severity: "page", causes },
  ...{ notifiedCount: 1, pendingCount: 0, ...more },
});

const server = (more: object = {}) => ({
  ...{ id: "s-1", name: "sfu-1", deployment: "d-1", enrolledAt: at("2026-06-01T00:00:00") },
  ...{ reportAt: now, ...more },
});

const monthsOf = (of: object, ...incidents: Incident[]) =>
  uptimeOf([server(of)], incidents, now)[0]?.months.map((share) => share && uptimeWords(share));

test("a silence over the end of a month counts in both", () => {
  const from = at("2026-10-31T23:00:00");
  expect(msByMonth(from, from + 3 * hour)).toEqual({ "2026-10": hour, "2026-11": 2 * hour });
  expect(msByMonth(from, from)).toEqual({});
});

test("the uptime of a month is the share of it in which the server was not down", () => {
  const from = at("2026-11-01T00:00:00");
  const lasted = [downCause(from, from + 2.75 * day)];
  expect(monthsOf({}, incident(lasted, { closedAt: from + 3 * day }))).toEqual([
    "100.00 %",
    "100.00 %",
    "90.00 %",
  ]);
});

test("a second of it is enough for less than 100 %", () => {
  const from = at("2026-11-02T00:00:00");
  expect(monthsOf({}, incident([downCause(from, from + 1_000)]))?.at(-1)).toBe("99.99 %");
});

test("who is down since a while is down until now", () => {
  expect(monthsOf({ enrolledAt: now - 2 * hour }, incident([downCause(now - hour)]))).toEqual([
    null,
    null,
    "50.00 %",
  ]);
});

test("time before a server was connected, after it was disconnected or while it is paused does not count", () => {
  const from = at("2026-11-10T00:00:00");
  const anHour = incident([downCause(from, from + hour)]);
  for (const of of [
    { enrolledAt: from, retiredAt: from + 10 * hour },
    { enrolledAt: from, suspension: { since: from + 10 * hour } },
  ]) {
    expect(monthsOf(of, anHour)?.at(-1)).toBe("90.00 %");
  }
  expect(monthsOf({ reportAt: undefined })).toEqual([null, null, null]);
});

test("what is known for 90 days is said of 90 days: an older month begins there", () => {
  const lateInMonth = at("2026-12-31T12:00:00");
  const known = lateInMonth - 90 * day;
  const [first] = uptimeOf(
    [server()],
    [incident([downCause(known, known + 2.95 * day)])],
    lateInMonth,
  );
  // October has 29.5 days of which something is known.
  expect(first?.months[0]).toBeCloseTo(0.9, 6);
});

test("an outage of ours is no downtime of the customer's", () => {
  const ours = incident([downCause(now - hour, now)], { closedAt: now, closedAs: "outage" });
  expect(monthsOf({}, ours)?.at(-1)).toBe("100.00 %");
});

test("a server that goes down again in one incident was down both times", () => {
  const followed = new FollowedIncident()
    .during(0, 10, down())
    .during(10, 12)
    .during(12, 22, down(begin + 12 * minute))
    .during(22, 30);
  const found = followed.incident as Incident;
  expect(followed.opened).toBe(1);
  const uptime = uptimeOf(
    [server({ id: "server", enrolledAt: begin })],
    [found],
    begin + 200 * minute,
  );
  expect(uptime[0]?.months.at(-1)).toBeCloseTo(0.9, 6);
});

test("the mean time to acknowledge is of those that somebody acknowledged, and to mend of those that are over", () => {
  const since = now - hour;
  const answered = (minutes: number, more: Partial<Incident>) =>
    incident([downCause(since, since + 20 * minute)], {
      ...{ openedAt: since + 3 * minute, pagesSince: since + 3 * minute, ...more },
      acknowledged: { by: "ada", at: since + (3 + minutes) * minute },
    });
  const over = { closedAt: since + 25 * minute, goodSince: since + 20 * minute };
  const warning: Cause = { code: "disk.filling", subject: "/", severity: "notify", since };
  expect(
    meanTimes([
      answered(2, over),
      answered(6, {}),
      incident([downCause(since)], {}),
      incident([downCause(since, now)], { closedAt: now, closedAs: "disconnected" }),
      incident([warning], { severity: "notify", ...over }),
    ]),
  ).toEqual({
    paged: 4,
    acknowledged: { meanMs: 4 * minute, count: 2 },
    mended: { meanMs: 20 * minute, count: 1 },
  });
  expect(meanTimes([])).toEqual({ paged: 0, acknowledged: undefined, mended: undefined });
});

test.for([
  [20_000, "less than a minute"],
  [43 * minute, "43 min"],
  [hour, "1 h"],
  [125 * minute, "2 h 5 min"],
  [day, "1 d"],
  [51 * hour, "2 d 3 h"],
] as const)("%i ms are %s", ([ms, words]) => {
  expect(durationWords(ms)).toBe(words);
});
