import { expect, test } from "vitest";
import { hourAdvice } from "~/features/servers/evidence-pages/hour-advice.ts";
import {
  chance,
  hourPattern,
  localHours,
  minBadDays,
  minDays,
} from "~/features/servers/evidence-pages/hour-pattern.ts";
import { withServerLoad } from "~/features/servers/evidence-pages/server-load.server.ts";
import { SeriesOfRange } from "~/features/servers/metrics/series.ts";
import type { EvidenceHour } from "~/features/servers/room-sessions/evidence-hours.ts";
import { seededRandom } from "../../../support/site/random.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const begin = Date.parse("2026-11-01T00:00:00Z");

type More = Partial<EvidenceHour>;
const well = { lossPermille: { sum: 3, count: 1 }, roundTripMs: { sum: 40, count: 1 } };
const lossy = {
  ...{ lossy: 1, lossPermille: { sum: 90, count: 1 }, roundTripMs: { sum: 200, count: 1 } },
};
/** One call in this hour of this day. */
const hour = (day: number, clockHour: number, more: More = {}): EvidenceHour => ({
  ...{ at: begin + day * dayMs + clockHour * hourMs, calls: 1, lossy: 0, slow: 0, broken: 0 },
  ...{ ...well, ...more },
});
const days = (count: number) => Array.from({ length: count }, (_, day) => day);
/** Each day two calls in the evening that lose packets, and two at other hours that do not. */
const evenings = (count: number, more: More = {}) =>
  days(count).flatMap((day) => [
    ...[hour(day, 9), hour(day, 15)],
    ...[hour(day, 19, { ...lossy, ...more }), hour(day, 21, { ...lossy, ...more })],
  ]);

const inUtc = (hours: readonly EvidenceHour[]) => hourPattern(localHours(hours, "UTC"));
function found(hours: readonly EvidenceHour[], zone = "UTC") {
  const pattern = hourPattern(localHours(hours, zone));
  if (pattern.kind !== "stretch") throw new Error(`It is ${pattern.kind}`);
  return pattern;
}

test("calls that lose packets each evening, and at no other hour, are bad between 19:00 and 22:00", () => {
  expect(found(evenings(minDays)).stretch).toEqual({ from: 19, length: 3 });
});

test.each([
  ["Europe/Berlin", { from: 20, length: 3 }, 0],
  ["America/Los_Angeles", { from: 11, length: 3 }, 0],
  ["Asia/Kolkata", { from: 0, length: 3 }, 30],
])("the hours are those of the reader's clocks: %s", (zone, stretch, minutes) => {
  const pattern = found(evenings(14), zone);
  expect(pattern.stretch).toEqual(stretch);
  expect((pattern.inside[0]?.localMs ?? 0) % hourMs).toBe(minutes * 60_000);
});

test("a stretch goes over midnight", () => {
  const nights = days(9).flatMap((day) => [
    ...[hour(day, 0, lossy), hour(day, 23, lossy), hour(day, 10), hour(day, 16)],
  ]);
  expect(found(nights).stretch).toEqual({ from: 23, length: 2 });
});

test("from fewer than seven days nothing is said, however clear it looks: chance makes that too readily", () => {
  expect(inUtc(evenings(minDays - 1))).toEqual({ kind: "few", calls: 24, days: 6, badDays: 6 });
  const allBut = (count: number) => ({ drawn: count, bad: count, all: 2 * count, allBad: count });
  // 120 stretches are looked at, and all together may be wrong once in twenty times.
  expect(chance(allBut(minDays))).toBeLessThan(0.05 / 120);
  expect(chance(allBut(minDays - 1))).toBeGreaterThan(0.05 / 120);
});

test("bad calls on two days are too few in any thirty, and on three they are not", () => {
  const on = (badDays: number) =>
    days(30).flatMap((day) => [hour(day, 9), hour(day, 20, day < badDays ? lossy : {})]);
  expect(inUtc(on(minBadDays - 1))).toMatchObject({ kind: "few", days: 30, badDays: 2 });
  const rare = (bad: number) => chance({ drawn: bad, bad, all: 60, allBad: bad });
  expect(rare(minBadDays - 1)).toBeGreaterThan(0.05 / 120);
  expect(rare(minBadDays)).toBeLessThan(0.05 / 120);
});

test("twenty bad calls of one evening are one bad evening", () => {
  const one = [
    ...days(12).flatMap((day) => [hour(day, 9), hour(day, 20)]),
    hour(12, 20, { calls: 20, lossy: 20 }),
  ];
  expect(inUtc(one)).toMatchObject({ kind: "few", badDays: 1 });
});

test("twelve bad hours on three evenings are three bad evenings, which is too few of ten days", () => {
  const evening = (day: number) => [19, 20, 21, 22].map((each) => hour(day, each, lossy));
  const three = days(10).flatMap((day) => [hour(day, 9), ...(day < 3 ? evening(day) : [])]);
  expect(inUtc(three)).toEqual({ kind: "none", calls: 22, bad: 12 });
});

test("who calls in the evening alone has nothing to compare with", () => {
  const alone = days(20).map((day) => hour(day, 20, lossy));
  expect(inUtc(alone)).toEqual({ kind: "none", calls: 20, bad: 20 });
});

test("calls that are bad all day are no worse at some hours", () => {
  const all = days(20).flatMap((day) => [8, 12, 20].map((each) => hour(day, each, lossy)));
  expect(inUtc(all)).toMatchObject({ kind: "none", bad: 60 });
});

test("of people whose calls are bad at any hour by chance, fewer than one in twenty are said to have such hours", () => {
  const random = seededRandom(7);
  const people = Array.from({ length: 300 }, () =>
    days(30).flatMap((day) =>
      [9, 13, 18, 20].map((each) => hour(day, each, random.chance(0.2) ? lossy : {})),
    ),
  );
  const named = people.filter((hours) => inUtc(hours).kind === "stretch");
  expect(named.length).toBeLessThan(300 / 20);
});

const said = (hours: readonly EvidenceHour[], whose: "theirs" | "all" = "theirs") =>
  hourAdvice(found(hours), whose, 0);

test("the first sentence says which hours, what is wrong and how it is at others, and then come the figures", () => {
  const { title, figures } = said(evenings(9));
  expect(title).toBe(
    "Between 19:00 and 22:00 most of their calls lose packets; at other hours they do not.",
  );
  expect(figures).toBe(
    "18 of 18 calls bad, loss 9 %, 200 ms there and back. At other hours: 0 of 18 calls bad, loss 0.3 %, 40 ms there and back.",
  );
});

test.each<[string, More]>([
  ["take long there and back", { lossy: 0, slow: 1 }],
  ["fail or break off", { lossy: 0, broken: 1 }],
  ["go badly", { calls: 3, lossy: 1, slow: 1, broken: 1 }],
])("bad calls of another kind %s", (words, more) => {
  expect(said(evenings(9, more)).title).toContain(`calls ${words};`);
});

test.each<[string, More, string, string]>([
  ["a busy server", { isBusy: true }, "likely", "The server had too much to do at these hours."],
  [
    ...(["others in other networks", { others: { calls: 4, bad: 2 } }, "likely"] as const),
    "it is the server's network rather than theirs",
  ],
  [
    ...(["a network", { isBusy: false, others: { calls: 4, bad: 0 } }, "likely"] as const),
    "Their network is full at these hours: others, in other networks, were well in the same hours, and the server was not busy.",
  ],
  [
    ...(["a network, by the server alone", { isBusy: false }, "likely"] as const),
    "Their network is full at these hours: the server was not busy.",
  ],
  ["neither", {}, "unknown", "cannot be known yet"],
])("the cause is %s, as sure as that is, with what to do", (_, more, confidence, words) => {
  const advice = said(evenings(9, more));
  expect(advice.confidence).toBe(confidence);
  expect(advice.cause).toContain(words);
  expect(advice.steps.length).toBeGreaterThan(0);
});

test("of all calls on a server the server is the cause where it was busy, and is not known otherwise", () => {
  expect(said(evenings(9, { isBusy: true }), "all")).toMatchObject({ confidence: "likely" });
  const well = said(evenings(9, { isBusy: false }), "all");
  expect(well.title).toContain("most of the calls");
  expect(well).toMatchObject({ confidence: "unknown" });
  expect(well.cause).toContain("The server was not busy");
});

test("a server's load is that of the hours with bad calls, as far as its figures reach back", () => {
  const now = begin + 9 * dayMs + 22 * hourMs;
  const series = new SeriesOfRange("7d", now);
  for (let at = now - 6 * dayMs; at < now; at += hourMs / 4) {
    const isEvening = new Date(at).getUTCHours() === 20;
    series.add(at, "cpu", 0, isEvening ? 95 : 10, 100, 15);
  }
  const capacity = { cpus: 4, memory: undefined, disk: undefined };
  const hours = [hour(1, 20, lossy), hour(9, 9), hour(9, 12, lossy), hour(9, 20, lossy)];
  const loaded = withServerLoad(hours, { series: series.series(), capacity });
  expect(loaded.map(({ isBusy }) => isBusy)).toEqual([undefined, undefined, false, true]);
});
