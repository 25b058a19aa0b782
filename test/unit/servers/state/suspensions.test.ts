import { expect, test } from "vitest";
import { causesOf } from "~/features/servers/incidents/faults/server-causes.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { takeReport } from "~/features/servers/ingest/take-report.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import { stateOf } from "~/features/servers/state/state.ts";
import {
  suspendedForMs,
  suspensionChanges,
  visibleSuspension,
} from "~/features/servers/state/suspension.server.ts";
import { machine, reportText } from "../../../support/servers/report-lines.ts";

const begin = Date.parse("2026-11-24T12:00:00Z");
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const facts = { slug: "okapi", name: "Okapi", servers: 1 };

function reportOf(seq: number): Report {
  const read = parseReport(reportText({ seq }));
  if (!read.ok) throw new Error(`Line ${read.line} of the test's report cannot be read`);
  return read.report;
}

/** A server that reported last so many minutes after the beginning. */
const server = (id: string, minutes: number): ServerRecord => ({
  id,
  deployment: "44444444-4444-4444-8444-444444444444",
  name: id,
  enrolledAt: begin,
  keyHash: "c".repeat(64),
  machine: machine.machine,
  instance: machine.instance,
  refused: [],
  boots: [{ id: machine.boot, seq: 1, firstAt: begin }],
  bucket: { left: 10, at: begin },
  changes: [],
  report: reportOf(1),
  reportAt: begin + minutes * minute,
});

/** The records with the changes that a plan brings, in their order. */
function under(
  plan: Parameters<typeof suspensionChanges>[1],
  records: readonly ServerRecord[],
  now: number,
  picked?: string,
): ServerRecord[] {
  const changed = suspensionChanges(records, plan, now, picked);
  return records.map((record) => changed.find(({ id }) => id === record.id) ?? record);
}

const paused = (records: readonly ServerRecord[], now: number) =>
  records.filter((record) => visibleSuspension(record, now)).map(({ id }) => id);

test("at a downgrade the server that reported last stays, and it stays when others report again", () => {
  const now = begin + 5 * minute;
  const records = under(facts, [server("one", 1), server("two", 3), server("three", 2)], now);
  expect(paused(records, now)).toEqual(["one", "three"]);
  const later = records.map((each) => (each.id === "one" ? { ...each, reportAt: now } : each));
  expect(suspensionChanges(later, facts, now + minute)).toEqual([]);
});

test("the team picks the one that stays, and may pick again", () => {
  const now = begin + 5 * minute;
  let records = under(facts, [server("one", 1), server("two", 3)], now);
  records = under(facts, records, now, "one");
  const later = now + 2 * hour;
  expect(paused(records, later)).toEqual(["two"]);
  records = under(facts, records, later, "two");
  expect(paused(records, later + 2 * hour)).toEqual(["one"]);
});

test("a paused server is said to be paused, calls every ten minutes, and nothing is wrong with it", () => {
  const now = begin + 5 * minute;
  const [one] = under(facts, [server("one", 1), server("two", 3)], now);
  if (!one) throw new Error("It is there");
  expect(stateOf(one, now + day)).toEqual({
    ...{ code: "paused", why: "plan-limit", allowed: 1, isEnding: false },
  });
  expect(causesOf(one, now + day)).toEqual([]);
  const answered = takeReport(one, reportOf(2), now + day);
  expect(answered).toEqual({ outcome: "paused", waitMs: 10 * minute });
});

test("one that may report again is not silent while its machine still waits, and silent after that", () => {
  const now = begin + 5 * minute;
  const fewer = under(facts, [server("one", 1), server("two", 3)], now);
  const [one] = under({ ...facts, servers: 500 }, fewer, now + day);
  if (!one) throw new Error("It is there");
  const again = now + day;
  expect(stateOf(one, again + 9 * minute)).toMatchObject({ code: "paused", isEnding: true });
  const taken = takeReport(one, reportOf(2), again + 9 * minute);
  if (!("record" in taken) || !taken.record) throw new Error("It is taken");
  expect(stateOf(taken.record, again + 10 * minute)).toEqual({ code: "healthy" });
  expect(stateOf(one, again + hour).code).toBe("down");
});

test("after a plan's end reports count for thirty days, and then one a day, for which the machine calls every hour", () => {
  const ended = { ...facts, servers: 0, endedAt: begin };
  const [before] = under(ended, [server("one", 1)], begin + 30 * day - 1);
  expect(before && visibleSuspension(before, begin + 30 * day - 1)).toBeUndefined();
  const now = begin + 30 * day;
  const [after] = under(ended, [{ ...server("one", 1), reportAt: now - minute }], now);
  if (!after) throw new Error("It is there");
  expect(stateOf(after, now)).toMatchObject({ code: "paused", why: "plan-ended" });
  expect(suspendedForMs(after, now)).toBe(hour);
  expect(suspendedForMs(after, now + day - 10 * minute)).toBe(9 * minute);
  const next = takeReport(after, reportOf(2), now + day);
  if (!("record" in next) || !next.record) throw new Error("It is taken");
  expect(takeReport(next.record, reportOf(3), now + day + minute)).toMatchObject({
    ...{ outcome: "paused", waitMs: hour },
  });
});

test("with a new plan everything counts again; a plan on hold changes nothing", () => {
  const now = begin + 40 * day;
  const ended = under({ ...facts, servers: 0, endedAt: begin }, [server("one", 1)], now);
  expect(paused(ended, now)).toEqual(["one"]);
  const [renewed] = under(facts, ended, now);
  expect(renewed && suspendedForMs(renewed, now)).toBeUndefined();
  expect(suspensionChanges([server("one", 1)], { ...facts, servers: 0 }, now)).toEqual([]);
});

test("while a team has paused its plan none of its servers is watched, and then each again", () => {
  const now = begin + 5 * minute;
  const isPaused = { ...facts, servers: 0, isPaused: true };
  const records = under(isPaused, [server("one", 1), server("two", 3)], now);
  expect(paused(records, now)).toEqual(["one", "two"]);
  const [one] = records;
  if (!one) throw new Error("It is there");
  expect(stateOf(one, now)).toMatchObject({ code: "paused", why: "plan-paused" });
  expect(suspendedForMs(one, now)).toBe(hour);
  const [again] = under(facts, [one], now + hour);
  expect(again && suspendedForMs(again, now + hour)).toBeUndefined();
});

test("once what was reported is deleted nothing more is kept", () => {
  const now = begin + 100 * day;
  const over = { ...facts, servers: 0, endedAt: begin, isHistoryOver: true };
  const [one] = under(over, [server("one", 1)], now);
  if (!one) throw new Error("It is there");
  expect(takeReport(one, reportOf(2), now)).toEqual({ outcome: "paused", waitMs: hour });
});
