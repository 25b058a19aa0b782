import { expect, test } from "vitest";
import {
  evidencePage,
  evidenceTables,
  removeOldEvidence,
  takeEvidence,
} from "~/features/servers/room-sessions/evidence-table.server.ts";
import type { SessionEvent } from "~/features/servers/room-sessions/session-event.ts";
import { sessions } from "../../../support/servers/session-lines.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const day = 86_400_000;
const network = "0123456789ab";

function table() {
  const sql = sqliteStorage();
  for (const statement of evidenceTables.split(";")) if (statement.trim()) sql.exec(statement);
  let number = 0;
  const say = (details: SessionEvent["details"], more: Partial<SessionEvent> = {}) =>
    takeEvidence(sql, {
      ...{ number: ++number, at: sessions.begin, kind: "call_evidence", room: sessions.room },
      ...{ roomName: sessions.roomHash, participant: "PA_alice1234" },
      ...{ identity: sessions.identityHash, details: { network, ...details }, ...more },
    });
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
