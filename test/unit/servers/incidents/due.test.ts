import { expect, test } from "vitest";
import type { Incident } from "~/features/servers/incidents/incident.ts";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import { checkDue } from "../../../../app/features/servers/incidents/due.server.ts";
import { begin, critical, minute } from "../../../support/servers/incident-step.ts";

/** A server that reported last at a minute. */
const reportedAt = (at: number, more: Partial<ServerRecord> = {}): ServerRecord => ({
  ...{ id: "server", deployment: "deployment", name: "sfu-1", enrolledAt: begin, keyHash: "" },
  ...{ machine: "", instance: "", refused: [], boots: [], bucket: { left: 10, at: begin } },
  ...{ changes: [], reportAt: begin + at * minute, ...more },
});
const silence = { foundAt: begin + 3 * minute };
const dueIn = (record: ServerRecord, now: number) =>
  (checkDue([record], new Map(), undefined, begin + now * minute) - begin) / minute;

test.for([
  ["while it reports, in three minutes", reportedAt(0), 1, 4],
  ["when it is late, as it falls silent", reportedAt(0), 1.5, 3],
  ["just after it fell silent, each minute: it may be our fault", reportedAt(0, { silence }), 4, 5],
  ["when it has long been silent, as that is a day", reportedAt(0, { silence }), 60, 1443],
  [
    "when it was silent for a day, never",
    reportedAt(0, { silence }),
    1443,
    Number.POSITIVE_INFINITY,
  ],
  [
    "when its domain was asked, again after 15 minutes",
    reportedAt(0, {
      domain: "rtc.example.com",
      silence: { ...silence, probe: { at: begin + 50 * minute, answers: false } },
    }),
    ...[60, 65],
  ],
  [
    "when it was disconnected, never",
    reportedAt(0, { retiredAt: begin }),
    1,
    Number.POSITIVE_INFINITY,
  ],
] as const)("a fleet looks at its server %s", ([, record, now, due]) => {
  expect(dueIn(record, now)).toBe(due);
});

const paging: Incident = {
  ...{ id: "incident", server: "server", openedAt: begin, severity: "page", causes: [critical] },
  ...{ notifiedCount: 1, pendingCount: 0, notifiedAt: begin, pageSent: true },
};

test.for([
  ["15 minutes after it was sent", {}, undefined, 15],
  ["an hour after its eighth repeat", { repeats: { count: 8, at: begin } }, undefined, 60],
  ["when a maintenance ends", {}, 40, 40],
  ["when it is no longer snoozed", { snoozedUntil: begin + 50 * minute }, undefined, 50],
  [
    "never where somebody acknowledged it",
    { acknowledged: { by: "person", at: begin } },
    undefined,
    Number.POSITIVE_INFINITY,
  ],
] as const)("an incident that pages is due %s", ([, more, quiet, due]) => {
  const until = quiet === undefined ? {} : { maintenanceUntil: begin + quiet * minute };
  const record = reportedAt(0, { retiredAt: begin, ...until });
  const incidents = new Map([["server", { ...paging, ...more }]]);
  expect((checkDue([record], incidents, undefined, begin + minute) - begin) / minute).toBe(due);
});
