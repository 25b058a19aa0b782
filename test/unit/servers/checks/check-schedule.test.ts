import fc from "fast-check";
import { expect, test } from "vitest";
import { withCheck } from "~/features/deployments/checks/check.ts";
import {
  checksEveryMs,
  checkTarget,
  isChecked,
  isSameCheck,
  slotOf,
} from "~/features/servers/checks/check-schedule.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";

const report: Report = {
  ...{ seq: 1, boot: "boot", machine: "one", instance: "i-1", at: begin, version: "1" },
  ...{ stages: [], findings: [], services: [], metrics: {}, rebootPending: false },
  addresses: [
    { family: 6, address: "2001:503:ba3e::2:30" },
    { family: 4, address: "198.41.0.4" },
  ],
  turnName: "turn.rtc.example.com",
  certificates: [
    { name: "whip.rtc.example.com", ends: begin },
    { name: "turn.rtc.example.com", ends: begin },
    { name: "rtc.example.com", ends: begin },
  ],
};
const server: ServerRecord = {
  ...{ id: "server", deployment: "deployment", name: "sfu-1", enrolledAt: begin, keyHash: "" },
  ...{ machine: "one", instance: "i-1", refused: [], boots: [], changes: [], report },
  ...{ domain: "rtc.example.com", bucket: { left: 10, at: begin }, reportAt: begin },
};
const now = begin + 10 * minute;
const pause = { why: "plan-limit", allowed: 1, since: begin } as const;
const silent = (answers: boolean | undefined, foundAt = begin) => ({
  silence: { foundAt, ...(answers === undefined ? {} : { probe: { at: begin, answers } }) },
});

test.for<[string, Partial<ServerRecord>, boolean]>([
  ["reports", {}, true],
  ["was disconnected", { retiredAt: begin }, false],
  ["is a trial's", { isSimulated: true }, false],
  ["has not reported", { report: undefined as never }, false],
  ["is paused", { suspension: pause }, false],
  ["says no address", { report: { ...report, addresses: [] } }, false],
  ["has no name of the internet", { domain: "localhost" }, false],
  [
    "boots for the first time",
    { report: { ...report, stages: [{ code: "connected", at: begin }] } },
    false,
  ],
  ["runs Egress alone", { report: { ...report, role: "egress" } }, false],
  ["carries calls of a cluster", { report: { ...report, role: "media" } }, true],
  ["restarts", { report: { ...report, going: "reboot" } }, false],
  ["is down", silent(false), false],
  ["is silent, and was not probed yet", silent(undefined), false],
  ["is silent and answers", silent(true), true],
  ["is silent for longer than a day", silent(true, now - 25 * 60 * minute), false],
])("whether a server is checked by itself that %s", ([, changed, expected]) => {
  expect(isChecked({ ...server, ...changed }, now)).toBe(expected);
});

test("a check asks what the last report says: its names, IPv4 first, and the certificate where nobody else says its end", () => {
  const target = {
    ...{ domain: "rtc.example.com", turn: "turn.rtc.example.com", readsCertificate: false },
    addresses: ["198.41.0.4", "2001:503:ba3e::2:30"],
  };
  expect(checkTarget(server)).toEqual(target);
  expect(checkTarget({ ...server, ...silent(true) })).toEqual({
    ...target,
    readsCertificate: true,
  });
  const off = { ...server, report: { ...report, turn: false } };
  expect(checkTarget(off)).toEqual({ ...target, turn: null });
  const { turnName, ...older } = report;
  expect(checkTarget({ ...server, report: older })).toEqual({ ...target, turn: undefined });
  const byUdp = { ...server, report: { ...report, turn: true, turnName: null } };
  expect(checkTarget(byUdp)).toEqual({ ...target, turn: null });
  const unknown = { ...server, report: { ...report, certificates: [] } };
  expect(checkTarget(unknown)).toMatchObject({ readsCertificate: true });
});

test("five minutes follow each other without a gap, at another moment for each fleet", () => {
  const times = fc.integer({ min: begin, max: begin + 1_000 * minute });
  fc.assert(
    fc.property(fc.uuid(), times, (fleet, at) => {
      const { number, ends } = slotOf(fleet, at);
      expect(ends - at).toBeGreaterThan(0);
      expect(ends - at).toBeLessThanOrEqual(checksEveryMs);
      expect([slotOf(fleet, ends - 1).number, slotOf(fleet, ends).number]).toEqual([
        number,
        number + 1,
      ]);
    }),
  );
  const ends = new Set(
    Array.from({ length: 200 }, (_, at) => slotOf(`fleet-${at * 7_919}`, begin).ends),
  );
  expect(ends.size).toBeGreaterThan(150);
});

test("a check is written where it shows something new, and not for its time alone", () => {
  const right = [{ rung: "dns", outcome: "ok", sentence: "", ms: 1 }] as const;
  const wrong = [
    { rung: "dns", outcome: "failed", code: "dns.wrong", subject: "a", sentence: "", ms: 1 },
  ] as const;
  const first = withCheck(undefined, right, begin, true);
  expect(isSameCheck(undefined, first)).toBe(false);
  const second = withCheck(first, [{ ...right[0], ms: 99 }], begin + minute, true);
  expect(isSameCheck(first, second)).toBe(true);
  const third = withCheck(second, wrong, begin + 2 * minute, true);
  const fourth = withCheck(third, wrong, begin + 3 * minute, true);
  const fifth = withCheck(fourth, wrong, begin + 4 * minute, true);
  // The second failure makes it a finding.
  const pairs = [
    [second, third],
    [third, fourth],
    [fourth, fifth],
  ] as const;
  expect(pairs.map(([one, other]) => isSameCheck(one, other))).toEqual([false, false, true]);
});
