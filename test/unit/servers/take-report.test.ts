import { expect, test } from "vitest";
import { causesOf } from "~/features/servers/incidents/faults/server-causes.ts";
import { takeReport } from "~/features/servers/ingest/take-report.ts";
import type { Report } from "~/features/servers/state/server-record.ts";
import { answerRequest } from "../../../app/features/servers/state/lifecycle.server.ts";
import { machine } from "../../support/servers/report-lines.ts";

import {
  after,
  begin,
  enrolled,
  minute,
  reportWith,
  stateAt,
} from "../../support/servers/reports/taken-reports.ts";

test("the same report twice is answered twice and written once", () => {
  const report = reportWith();
  const record = after([0, report]);
  expect(takeReport(record, report, begin + minute)).toEqual({ outcome: "taken" });
});

test("a report that overtook another one stays the newest", () => {
  const record = after([0, reportWith({ seq: 2 })]);
  expect(takeReport(record, reportWith({ seq: 1 }), begin + minute)).toEqual({ outcome: "taken" });
});

test.for([
  ["just after it was connected", 0],
  ["after a quiet day", 24 * 60],
] as const)(
  "%s ten of 60 reports in a second are taken, and the others are answered when to come again",
  ([, since]) => {
    const first = begin + since * minute;
    let record = enrolled();
    const outcomes = Array.from({ length: 60 }, (_, at) => {
      const taken = takeReport(record, reportWith({ seq: at + 1 }), first + at * 16);
      if ("record" in taken && taken.record) record = taken.record;
      return taken;
    });
    expect(outcomes.filter(({ outcome }) => outcome === "taken")).toHaveLength(10);
    expect(outcomes.at(-1)).toMatchObject({ outcome: "too-often" });
    const waitMs = outcomes.flatMap((each) => ("waitMs" in each ? [each.waitMs] : [])).at(-1) ?? 0;
    expect(waitMs).toBeLessThanOrEqual(20_000);
    const next = takeReport(record, reportWith({ seq: 61 }), first + 59 * 16 + waitMs);
    expect(next.outcome).toBe("taken");
  },
);

test("a clone asks once to take the place, and after a yes reports as the server", () => {
  const record = after([0, reportWith()]);
  const clone = reportWith({ seq: 1, boot: machine.otherBoot, instance: "i-clone" });
  const duplicate = takeReport(record, clone, begin + minute);
  expect(duplicate).toMatchObject({
    outcome: "another-machine",
    record: { request: { instance: "i-clone", at: begin + minute } },
  });
  const waiting = ("record" in duplicate && duplicate.record) || record;
  expect(takeReport(waiting, clone, begin + 2 * minute)).toEqual({ outcome: "another-machine" });
  const third = reportWith({ seq: 1, boot: machine.otherBoot, instance: "i-third" });
  expect(takeReport(waiting, third, begin + 2 * minute)).toEqual({ outcome: "another-machine" });
  const later = { isAllowed: true, requestedAt: begin + 2 * minute };
  expect(answerRequest(waiting, later, begin + 3 * minute)).toBeUndefined();
  const shown = { isAllowed: true, requestedAt: begin + minute };
  const allowed = answerRequest(waiting, shown, begin + 3 * minute) ?? waiting;
  expect(allowed).not.toHaveProperty("request");
  expect(allowed.changes[0]).toMatchObject({
    code: "machine",
    from: "i-0123456789",
    to: "i-clone",
  });
  expect(takeReport(allowed, clone, begin + 4 * minute).outcome).toBe("taken");
});

test("a machine that was refused asks no second time, and the server goes on", () => {
  const record = after([0, reportWith()]);
  const clone = reportWith({ boot: machine.otherBoot, instance: "i-clone" });
  const duplicate = takeReport(record, clone, begin + minute);
  const waiting = ("record" in duplicate && duplicate.record) || record;
  const answer = { isAllowed: false, requestedAt: begin + minute };
  const refused = answerRequest(waiting, answer, begin + minute) ?? waiting;
  expect(takeReport(refused, clone, begin + 2 * minute)).toEqual({ outcome: "machine-refused" });
  expect(takeReport(refused, reportWith({ seq: 2 }), begin + 2 * minute).outcome).toBe("taken");
});

test("two boots that alternate are two machines with one key, and only the newest is shown", () => {
  const folder = (seq: number, boot: string, participants: number) =>
    reportWith({ seq, boot }, [`metric\tparticipants\t${participants}`, `doctor\t${seq}`]);
  const record = after(
    [0, folder(1, machine.boot, 7)],
    [1, folder(1, machine.otherBoot, 2)],
    [3, folder(2, machine.otherBoot, 2)],
    [5, folder(2, machine.boot, 7)],
  );
  expect(record.report?.metrics.participants).toBe(2);
  expect(stateAt(record, 6)).toEqual({ code: "duplicate" });
  expect(stateAt({ ...record, reportAt: begin + 66 * minute }, 66)).toEqual({ code: "healthy" });
});

test("where the newest boot is gone, the one before is the server again, and what its doctor finds counts", () => {
  const finding = "finding\tturn.udp.silent\tcritical\t\t\t";
  const copied = after(
    [0, reportWith({ seq: 1 })],
    [1, reportWith({ seq: 1, boot: machine.otherBoot }, ["network\t6000\t6000"])],
    [4, reportWith({ seq: 4 }, [finding])],
  );
  expect(copied.report).toMatchObject({ boot: machine.otherBoot, findings: [] });
  const back = reportWith({ seq: 5 }, [finding, "network\t9000\t9000"]);
  const taken = takeReport(copied, back, begin + 5 * minute);
  expect(taken).toMatchObject({
    record: { report: { boot: machine.boot }, reportAt: begin + 5 * minute },
  });
  expect("sample" in taken && taken.sample).not.toHaveProperty("in");
  const alone = ("record" in taken && taken.record) || copied;
  expect(causesOf(alone, begin + 5 * minute)).toContainEqual(
    expect.objectContaining({ code: "turn.udp.silent", severity: "page" }),
  );
  const next = takeReport(alone, reportWith({ seq: 6 }), begin + 6 * minute);
  expect(next).toMatchObject({ record: { report: { seq: 6 }, duplicateAt: begin + 5 * minute } });
});

test("a machine that is set back to a snapshot of its memory is silent for three minutes, and then reports again", () => {
  const record = after(
    [0, reportWith({ seq: 900 })],
    [1, reportWith({ seq: 500 })],
    [3, reportWith({ seq: 502 })],
  );
  expect(record).toMatchObject({ report: { seq: 900 }, reportAt: begin });
  expect(takeReport(record, reportWith({ seq: 900 }), begin + 4 * minute)).toEqual({
    outcome: "taken",
  });
  const set = takeReport(record, reportWith({ seq: 503 }), begin + 4 * minute);
  const going = ("record" in set && set.record) || record;
  expect(takeReport(going, reportWith({ seq: 504 }), begin + 5 * minute)).toMatchObject({
    record: { report: { seq: 504 }, reportAt: begin + 5 * minute },
  });
});

test("a reboot is one machine, though a report of the boot before arrives late", () => {
  const record = after(
    [0, reportWith({ seq: 4 })],
    [1, reportWith({ seq: 1, boot: machine.otherBoot })],
    [2, reportWith({ seq: 5 })],
  );
  expect(stateAt(record, 3)).toEqual({ code: "healthy" });
  expect(record.changes.map(({ code }) => code)).toEqual(["boot"]);
});

test("a restore of an old backup lowers no sequence number: it begins a new boot", () => {
  const record = after(
    [0, reportWith({ seq: 900 })],
    [9, reportWith({ seq: 1, boot: machine.otherBoot })],
  );
  expect(record.reportAt).toBe(begin + 9 * minute);
});

test("a key that ended takes nothing", () => {
  const ended = { ...after([0, reportWith()]), retiredAt: begin + minute };
  expect(takeReport(ended, reportWith({ seq: 2 }), begin + minute)).toEqual({
    outcome: "key-revoked",
  });
  expect(stateAt(ended, 9)).toEqual({ code: "retired", since: begin + minute });
});

test("five copies of a machine, which all have its ids, are more than one machine with one key", () => {
  const bootOf = (copy: number) => `${copy}${machine.boot.slice(1)}`;
  const turns = Array.from({ length: 25 }, (_, at): [number, Report] => [
    at / 5,
    reportWith({ seq: Math.floor(at / 5) + 1, boot: bootOf(at % 5) }),
  ]);
  expect(stateAt(after(...turns), 5)).toEqual({ code: "duplicate" });
});

test("a copy that asks for the place leaves a server the time in which it may report again", () => {
  const suspension = {
    why: "plan-limit",
    allowed: 1,
    since: begin,
    until: begin + 15 * minute,
  } as const;
  const record = { ...after([0, reportWith()]), suspension };
  const copy = reportWith({ seq: 2, instance: "i-copy" });
  const taken = takeReport(record, copy, begin + minute);
  expect(taken).toMatchObject({ outcome: "another-machine", record: { suspension } });
});
