import { expect, test } from "vitest";
import {
  type EvidenceCounts,
  evidencePage,
  evidenceTables,
  removeOldEvidence,
  saveEvidenceCounts,
  takeEvidence,
} from "~/features/servers/room-sessions/evidence-table.server.ts";
import { takeEvents } from "~/features/servers/room-sessions/history.server.ts";
import { tables } from "~/features/servers/room-sessions/history-tables.server.ts";
import type { SessionEvent } from "~/features/servers/room-sessions/session-event.ts";
import { sessions } from "../../../support/servers/session-lines.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const day = 86_400_000;
const network = "0123456789ab";

function table() {
  const sql = sqliteStorage();
  for (const statement of evidenceTables.split(";")) if (statement.trim()) sql.exec(statement);
  let number = 0;
  const say = (details: SessionEvent["details"], more: Partial<SessionEvent> = {}) => {
    const counts: EvidenceCounts = new Map();
    const event: SessionEvent = {
      ...{ number: ++number, at: sessions.begin, kind: "call_evidence", room: sessions.room },
      ...{ roomName: sessions.roomHash, participant: "PA_alice1234" },
      ...{ identity: sessions.identityHash, details: { network, ...details }, ...more },
    };
    takeEvidence(sql, event, counts);
    saveEvidenceCounts(sql, counts);
    return [...counts.values()].flatMap((ofDay) => [...ofDay.values()]).filter(Boolean).length;
  };
  return { sql, say };
}

test("one call is counted once, by the newest that its app said", () => {
  const { sql, say } = table();
  say({ state: "connected", path: "udp", trip: "20" });
  say({ state: "connected", path: "relay_tls", trip: "120", loss: "80" });
  say({ state: "ended" }, { at: sessions.begin + 60_000 });
  const { days, calls, networks } = evidencePage(sql, { name: sessions.identityHash.slice(0, 6) });
  expect(days).toMatchObject([{ calls: 1, ways: { "relay-tls": 1 }, roundTrip: { most: 150 } }]);
  expect(calls).toMatchObject([{ state: "ended", way: "relay-tls", lossPermille: 80 }]);
  expect(networks).toEqual([{ network, calls: 1, bad: 1 }]);
});

test("who says the sid of somebody else, with a token of their own, changes nothing of that call", () => {
  const { sql, say } = table();
  say({ state: "connected", path: "udp", trip: "20" });
  const before = evidencePage(sql, { name: sessions.identityHash }).calls;
  say({ state: "failed", failure: "media" }, { identity: "b".repeat(12) });
  expect(evidencePage(sql, { name: sessions.identityHash }).calls).toEqual(before);
  expect(evidencePage(sql, { name: "bbb" }).calls).toMatchObject([{ state: "failed" }]);
});

test("each try that failed is one, without a participant, and is found by person and by network", () => {
  const { sql, say } = table();
  for (const failure of ["token", "media"]) {
    say({ state: "failed", failure }, { participant: "", room: "" });
  }
  say({ state: "connected", path: "udp" }, { identity: "b".repeat(12), participant: "PA_bob12" });
  const of = (name: string) => evidencePage(sql, { name }).calls.map(({ failure }) => failure);
  expect(of(sessions.identityHash)).toEqual(["media", "token"]);
  expect(of(network)).toEqual([undefined, "media", "token"]);
  expect(of("ccc")).toEqual([]);
  expect(evidencePage(sql, {}).calls).toEqual([]);
  expect(evidencePage(sql, {}).days).toMatchObject([
    { calls: 1, failures: { token: 1, media: 1 } },
  ]);
});

test("networks in which calls were bad come first, and one that was always well is not named", () => {
  const { sql, say } = table();
  const others = ["a", "b", "c"].map((letter) => letter.repeat(12));
  for (const [at, each] of others.entries()) {
    for (let bad = 0; bad < at; bad++) {
      say({ state: "failed", network: each }, { participant: "", room: "" });
    }
    say({ state: "connected", path: "udp", network: each }, { participant: `PA_well${at}` });
  }
  expect(evidencePage(sql, {}).networks).toEqual([
    { network: others[2], calls: 3, bad: 2 },
    { network: others[1], calls: 2, bad: 1 },
  ]);
});

test("calls and their sums are gone after their time", () => {
  const { sql, say } = table();
  say({ state: "connected" });
  say({ state: "connected" }, { at: sessions.begin + 5 * day, participant: "PA_bob12" });
  removeOldEvidence(sql, sessions.begin + 2 * day);
  expect(evidencePage(sql, { name: sessions.identityHash }).calls).toHaveLength(1);
  expect(evidencePage(sql, {}).days).toHaveLength(1);
});

test("a call of which the same is said again writes no counts: each row that is written costs", () => {
  const { say } = table();
  expect(say({ state: "connected", path: "udp", trip: "20", loss: "3" })).toBe(4);
  expect(say({ state: "connected", path: "udp", trip: "22", loss: "4" })).toBe(0);
  expect(say({ state: "ended", path: "tcp" })).toBe(2);
});

test("a report's evidence is counted once, however often the report comes", () => {
  const sql = sqliteStorage();
  sql.exec(tables);
  const [said, more] = ["udp", "relay_tls"].map((path, at) => ({
    ...{ number: at + 1, at: sessions.begin + at, kind: "call_evidence" as const },
    ...{ room: sessions.room, roomName: sessions.roomHash, participant: `PA_person${at}` },
    ...{ identity: sessions.identityHash, details: { state: "connected", path, network } },
  }));
  const events = [said, more].flatMap((each) => each ?? []);
  const batch = { spool: sessions.spool, through: 2, lost: 0, unverified: 0, events };
  for (let times = 0; times < 2; times++) takeEvents(sql, batch, sessions.begin);
  const { calls, days } = evidencePage(sql, { session: sessions.room });
  expect(calls.map(({ way }) => way)).toEqual(["relay-tls", "udp"]);
  expect(days).toMatchObject([{ calls: 2, ways: { udp: 1, "relay-tls": 1 } }]);
});
