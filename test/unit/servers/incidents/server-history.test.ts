import { expect, test } from "vitest";
import { changeEntries, historyOf } from "~/features/servers/incidents/server-history.ts";
import type { Incident } from "../../../../app/features/servers/incidents/incident.ts";
import { answerRequest } from "../../../../app/features/servers/state/lifecycle.server.ts";
import type { Change, ServerRecord } from "../../../../app/features/servers/state/server-record.ts";

const minute = 60_000;
const livekit = (version: string, state = "running") =>
  `livekit/livekit-server:${version} ${state}`;

type Rest = [subject?: string, from?: string, to?: string];
const change = (at: number, code: Change["code"], ...[subject = "", from = "", to = ""]: Rest) => ({
  ...{ at: at * minute, code, subject, from, to },
});

/** As a record has them: newest first. */
const titlesOf = (...changes: Change[]) =>
  changeEntries(changes.toReversed()).map(({ title, subject }) =>
    [title, subject].join(" ").trim(),
  );

const update = [
  change(1, "service", "livekit", livekit("v1.13.5"), livekit("v1.13.5", "exited")),
  change(2, "version", "", "version 1", "version 1, changed"),
  change(2, "service", "livekit", livekit("v1.13.5", "exited"), livekit("v1.13.6", "created")),
  change(3, "service", "livekit", livekit("v1.13.6", "created"), livekit("v1.13.6")),
  change(3, "node", "", "ND_a", "ND_b"),
];

test("an update is one sentence with both versions, and its steps are behind it (M9)", () => {
  const entries = changeEntries(update.toReversed());
  expect(entries).toMatchObject([
    { at: 3 * minute, title: "Updated livekit from v1.13.5 to v1.13.6" },
  ]);
  expect(entries[0]?.parts?.map(({ words }) => words)).toEqual([
    "A service changed: livekit, livekit/livekit-server:v1.13.5 running → livekit/livekit-server:v1.13.5 exited",
    "Its files changed, version 1 → version 1, changed",
    "A service changed: livekit, livekit/livekit-server:v1.13.5 exited → livekit/livekit-server:v1.13.6 created",
    "A service changed: livekit, livekit/livekit-server:v1.13.6 created → livekit/livekit-server:v1.13.6 running",
    "LiveKit started anew, ND_a → ND_b",
  ]);
});

test("an update that one report has whole is the same sentence", () => {
  const whole = change(1, "service", "livekit", livekit("v1.13.5"), livekit("v1.13.6"));
  expect(titlesOf(whole)).toEqual(["Updated livekit from v1.13.5 to v1.13.6"]);
});

test("what is far from an update is no part of it, and each update has its own sentence", () => {
  const later = update.map((each) => ({ ...each, at: each.at + 60 * minute }));
  const crash = change(30, "node", "", "ND_b", "ND_c");
  expect(titlesOf(...update, crash, ...later)).toEqual([
    "Updated livekit from v1.13.5 to v1.13.6",
    "LiveKit started anew",
    "Updated livekit from v1.13.5 to v1.13.6",
  ]);
});

test("services of a first boot are one sentence", () => {
  const first = (at: number, name: string) => change(at, "service", name, "", `${name}:1 running`);
  expect(titlesOf(first(1, "caddy"), first(1, "livekit"), first(2, "redis"))).toEqual([
    "Its services appeared: caddy, livekit, redis",
  ]);
});

test("a reboot with what it starts anew is one sentence, and so is an update with a reboot", () => {
  const boot = [change(4, "boot"), change(4, "node", "", "ND_b", "ND_c")];
  expect(titlesOf(...boot)).toEqual(["The machine booted"]);
  expect(titlesOf(...update, ...boot)).toEqual([
    "Updated livekit from v1.13.5 to v1.13.6, and the machine booted",
  ]);
});

test("a new version of the deployment is said by its number", () => {
  expect(
    titlesOf(
      change(1, "version", "", "version 1", "version 2"),
      change(2, "node", "", "ND_a", "ND_b"),
    ),
  ).toEqual(["Its files changed from version 1 to version 2"]);
});

test("services that come and go without anything in common are said one by one", () => {
  expect(
    titlesOf(
      change(1, "service", "caddy", "caddy:2 running", "caddy:2 exited"),
      change(2, "service", "redis", "redis:7 running", ""),
    ),
  ).toEqual(["A service changed caddy", "A service is gone redis"]);
});

test.for([
  ["certificate", "2026-12-01", "2027-03-01", "A certificate was renewed it"],
  ["certificate", "2027-03-01", "2026-12-01", "A certificate changed it"],
  ["certificate", "", "2027-03-01", "A certificate appeared it"],
  ["certificate", "2026-12-01", "", "A certificate is gone it"],
  ["address", "203.0.113.7", "203.0.113.8", "Its address changed it"],
  ["address", "", "203.0.113.8", "An address appeared it"],
  ["address", "203.0.113.7", "", "An address is gone it"],
] as const)("a change of its %s from “%s” to “%s” is called: %s", ([code, from, to, title]) => {
  expect(titlesOf(change(1, code, "it", from, to))).toEqual([title]);
});

test("a finding is said in the words that its advice has", () => {
  expect(
    titlesOf(
      change(1, "finding", "disk.filling /", "", "warning"),
      change(2, "finding", "disk.filling /", "warning", "critical"),
      change(3, "finding", "disk.filling /", "critical", ""),
    ),
  ).toEqual([
    "The doctor found: The disk fills up: /",
    "The doctor finds it critical by now: The disk fills up: /",
    "The doctor no longer finds: The disk fills up: /",
  ]);
});

test("the first boot, a silence, its end and an acknowledgement are in what changed (M9)", () => {
  const incident: Incident = {
    ...{ id: "i-1", server: "s-1", openedAt: 14 * minute, closedAt: 25 * minute },
    ...{ severity: "page", notifiedCount: 1, pendingCount: 0 },
    formerAcknowledgement: { by: "id", who: "ada@example.com", at: 15 * minute },
    causes: [
      { code: "down", subject: "", severity: "page", since: 11 * minute, endedAt: 20 * minute },
    ],
  };
  const stages = ["connected", "images", "ready"].map((code, at) => ({ code, at: at * minute }));
  const history = historyOf({ changes: [], stages, incidents: [incident] });
  expect(history.map(({ at, title }) => [at / minute, title])).toEqual([
    [25, "The incident ended"],
    [20, "It reports again"],
    [15, "Acknowledged by ada@example.com"],
    [11, "The server is down"],
    [2, "The first boot was complete"],
  ]);
  expect(history.at(-1)?.parts?.map(({ words }) => words)).toEqual([
    "Connected",
    "Images",
    "Ready",
  ]);
});

test("a copy that somebody refused is in what changed (M9)", () => {
  const record = {
    ...{ refused: [], changes: [], instance: "i-1", machine: "m-1" },
    request: { machine: "m-2", instance: "i-clone", at: 1 },
  } as unknown as ServerRecord;
  const refused = answerRequest(record, { isAllowed: false, requestedAt: 1 }, 5 * minute);
  expect(titlesOf(...(refused?.changes ?? []))).toEqual(["Another machine was refused i-clone"]);
});
