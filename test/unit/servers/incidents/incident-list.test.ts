import { expect, test } from "vitest";
import { stepReport, stepServer } from "~/features/servers/incidents/causes.ts";
import { causesOf } from "~/features/servers/incidents/faults/server-causes.ts";
import { acknowledged, type Incident } from "~/features/servers/incidents/incident.ts";
import { incidentQuery, searchOf } from "~/features/servers/incidents/incident-query.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import {
  incidentFile,
  incidentList,
} from "../../../../app/features/servers/incidents/incident-list.server.ts";
import { incidentPage } from "../../../../app/features/servers/incidents/incident-page.server.ts";
import {
  begin,
  critical,
  down,
  FollowedIncident,
  minute,
  warning,
} from "../../../support/servers/incident-step.ts";
import { machine } from "../../../support/servers/report-lines.ts";

const hour = 60 * minute;
const day = 24 * hour;
const now = begin + day;

const record = (id: string, deployment: string): ServerRecord => ({
  ...{ id, deployment, name: id, enrolledAt: begin - day, keyHash: "", reportAt: now },
  ...{ machine: machine.machine, instance: machine.instance, domain: "rtc.example.com" },
  ...{ refused: [], boots: [], changes: [], bucket: { left: 10, at: begin } },
});
const servers = [record("sfu-1", "production"), record("sfu-2", "staging")];

const made = (id: string, server: string, more: Partial<Incident> = {}): Incident => ({
  ...{ id, server, openedAt: begin, severity: "page", causes: [down()] },
  ...{ notifiedCount: 1, pendingCount: 0, ...more },
});
const over = (closedAt: number) => ({ closedAt, goodSince: closedAt - 5 * minute });
const incidents = [
  made("past", "sfu-1", over(begin + hour)),
  made("warned", "sfu-2", { severity: "notify", causes: [warning], openedAt: begin - hour }),
  made("open", "sfu-2", { openedAt: begin + hour, causes: [down(begin + hour)] }),
  made("long-ago", "sfu-1", { ...over(begin - 8 * day), openedAt: begin - 9 * day }),
];

const idsOf = (search: string) =>
  incidentList({ incidents, servers }, incidentQuery(new URLSearchParams(search)), now).lines.map(
    ({ id }) => id,
  );

test.for([
  ["", ["open", "warned", "past", "long-ago"]],
  ["state=open", ["open", "warned"]],
  ["state=past", ["past", "long-ago"]],
  ["severity=page", ["open", "past", "long-ago"]],
  ["severity=notify", ["warned"]],
  ["deployment=production", ["past", "long-ago"]],
  ["server=FU-2", ["open", "warned"]],
  ["server=sfu-1&days=7", ["past"]],
  ["state=nonsense&days=0&page=-1", ["open", "warned", "past", "long-ago"]],
] as const)(
  "the list with “%s” has these incidents, what is open and wakes people first",
  ([search, ids]) => {
    expect(idsOf(search)).toEqual(ids);
  },
);

test("a page of the list has fifty, and the last one stands for pages behind it", () => {
  const many = Array.from({ length: 120 }, (_, at) =>
    made(`i-${at}`, "sfu-1", { openedAt: begin - at * minute, ...over(begin) }),
  );
  const page = (number: number) =>
    incidentList(
      { incidents: many, servers },
      incidentQuery(new URLSearchParams({ page: `${number}` })),
      now,
    );
  expect(page(1)).toMatchObject({ count: 120, open: 0, pages: 3 });
  expect([1, 2, 3, 9].map((number) => page(number).lines.length)).toEqual([50, 50, 20, 20]);
  const all = incidentFile({ incidents: many, servers }, incidentQuery(new URLSearchParams()), now);
  expect(all.lines).toHaveLength(120);
});

test("an address has what it narrows, and reads as it was written", () => {
  const search = "state=open&severity=page&server=sfu&days=7&page=2";
  expect(searchOf(incidentQuery(new URLSearchParams(search))).toString()).toBe(search);
  expect(searchOf(incidentQuery(new URLSearchParams("days=90&page=1"))).size).toBe(0);
});

test("who acknowledged an incident stays with it when it is over, and when it pages no more", () => {
  const followed = new FollowedIncident().at(0, critical, warning);
  followed.incident = acknowledged(followed.incident as Incident, {
    ...{ by: "ada", at: begin + minute },
  });
  followed.during(1, 8, warning);
  expect(followed.incident).toMatchObject({
    severity: "notify",
    formerAcknowledgement: { by: "ada", at: begin + minute },
  });
  expect(followed.incident).not.toHaveProperty("acknowledged");
  const page = incidentPage(followed.incident as Incident, servers[0], now);
  expect(page).toMatchObject({ acknowledged: { by: "ada" }, acknowledgedAfterMs: minute });
});

const report = (
  at: number,
  metrics: Report["metrics"],
  findings: Report["findings"] = [],
): Report => ({
  ...{ seq: at, boot: "boot", at, machine: machine.machine, instance: machine.instance },
  ...{ version: machine.version, stages: [], services: [], certificates: [], addresses: [] },
  ...{ metrics, rebootPending: false, doctorAt: at, findings },
});
const surroundings = { newId: () => "i-1" };
const broken = {
  ...{ code: "service.down", severity: "critical" as const, subject: "livekit" },
  ...{ found: "exited", wanted: "" },
};

test("an incident knows how many were in calls when it began, and what changed in the hour before", () => {
  const change = (before: number) => ({
    ...{ at: begin - before * minute, code: "boot" as const, subject: "", from: "", to: "" },
  });
  const { domain: _, ...nameless } = record("sfu-1", "production");
  const before = { ...nameless, changes: [change(10), change(50), change(70)] };
  const first = stepReport(
    { record: before },
    report(1, { participants: 30 }),
    begin,
    surroundings,
  ).step;
  if (!first) throw new Error("The first report was not taken");
  // LiveKit is gone, and with it the people.
  const { step } = stepReport(
    first,
    report(2, { participants: 0 }, [broken]),
    begin + minute,
    surroundings,
  );
  expect(step?.incident).toMatchObject({ participants: 30 });
  expect(step?.incident?.changesBefore?.map(({ at }) => at)).toEqual([
    begin - 10 * minute,
    begin - 50 * minute,
  ]);
  const silent = stepServer(first, begin + 10 * minute, surroundings);
  expect(causesOf(silent.record, begin + 10 * minute)).toMatchObject([{ code: "down" }]);
  expect(silent.incident).toMatchObject({ participants: 30 });
});

test("an incident that ended because nobody watches the server any more says so", () => {
  const monitored = {
    record: { ...record("sfu-1", "production"), retiredAt: begin + minute },
    incident: made("i-1", "sfu-1"),
  };
  const { incident } = stepServer(monitored, begin + minute, surroundings);
  expect(incident).toMatchObject({ closedAt: begin + minute, closedAs: "disconnected" });
});

test("the text to send afterwards has what is known, and room for the rest", () => {
  const found = { ...critical, found: "nothing came back", endedAt: begin + 20 * minute };
  const incident = made("i-1", "sfu-1", {
    ...{ causes: [found], participants: 12, ...over(begin + 25 * minute) },
    changesBefore: [
      { at: begin - minute, code: "version", subject: "", from: "version 1", to: "version 2" },
    ],
  });
  expect(
    incidentPage(incident, servers[0], now).text,
  ).toBe(`Incident: TURN over UDP gives no relay, on sfu-1 (rtc.example.com)

Began: November 24, 2026 at 12:00 PM UTC
Ended: November 24, 2026 at 12:20 PM UTC, after 20 min
In calls when it began: 12
Acknowledged: by nobody

What was wrong
- TURN over UDP gives no relay, since November 24, 2026 at 12:00 PM UTC, until November 24, 2026 at 12:20 PM UTC. Found: nothing came back

What changed in the hour before
- November 24, 2026 at 11:59 AM UTC: Its files changed version 1 → version 2

Whom it reached, and how they noticed
- 

What we did
- 

What we do so that it does not happen again
- `);
});
