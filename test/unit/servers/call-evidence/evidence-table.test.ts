import { expect, test } from "vitest";
import { evidenceFile } from "~/features/servers/evidence-pages/evidence-file.server.ts";
import {
  type EvidenceCounts,
  evidenceFilePart,
  evidencePage,
  removeOldEvidence,
  saveEvidenceCounts,
  takeEvidence,
} from "~/features/servers/room-sessions/evidence-table.server.ts";
import { filePartSize } from "~/features/servers/room-sessions/file-part.ts";
import { takeEvents, takeEvidenceBatch } from "~/features/servers/room-sessions/history.server.ts";
import { tables } from "~/features/servers/room-sessions/history-tables.server.ts";
import type { SessionEvent } from "~/features/servers/room-sessions/session-event.ts";
import { csvStream } from "~/features/servers/session-pages/server-file.server.ts";
import { sessions } from "../../../support/servers/session-lines.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const day = 86_400_000;
const network = "0123456789ab";

function table() {
  const sql = sqliteStorage();
  sql.exec(tables);
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

test("nobody's call is overwritten by who posts its participant with a token of their own", () => {
  const { sql, say } = table();
  const mallory = "e".repeat(12);
  say({ state: "connected", path: "udp", trip: "20" });
  say({ state: "failed", failure: "media" }, { identity: mallory });
  const of = (name: string) => evidencePage(sql, { name }).calls;
  expect(of(sessions.identityHash)).toMatchObject([{ state: "connected", way: "udp" }]);
  expect(of(mallory)).toMatchObject([{ state: "failed", identity: mallory }]);
  say({ state: "ended" }, { at: sessions.begin + 60_000 });
  expect(of(sessions.identityHash)).toMatchObject([{ state: "ended", way: "udp" }]);
  expect(evidencePage(sql, {}).days).toMatchObject([{ calls: 1, failures: { media: 1 } }]);
});

test("what is posted of a participant who is somebody else, as LiveKit said, is not taken", () => {
  const { sql, say } = table();
  const join = {
    ...{ number: 1, at: sessions.begin, kind: "participant_joined" as const, details: {} },
    ...{ room: sessions.room, roomName: sessions.roomHash, participant: sessions.participant },
  };
  const { spool, identityHash: identity } = sessions;
  const events = [{ ...join, identity }];
  takeEvents(sql, { spool, through: 1, lost: 0, unverified: 0, events }, sessions.begin);
  say({ state: "failed" }, { identity: "e".repeat(12) });
  expect(evidencePage(sql, { session: sessions.room }).calls).toEqual([]);
  say({ state: "connected" });
  // Names may have been sent from then on.
  say({ state: "connected" }, { identity: "=alice" });
  expect(evidencePage(sql, { session: sessions.room }).calls).toHaveLength(2);
});

test("a number may be a hash and a name: what begins so is found by both", () => {
  const { sql, say } = table();
  say({ state: "connected" }, { identity: "=123456", participant: "PA_one12" });
  say({ state: "connected" }, { identity: "123456abcdef", participant: "PA_two12" });
  say({ state: "connected" }, { identity: "=ABCDEF", participant: "PA_three12" });
  const of = (name: string) => evidencePage(sql, { name }).calls.map(({ identity }) => identity);
  expect(of("123456")).toEqual(["123456abcdef", "=123456"]);
  expect(of("ABCDEF")).toEqual(["=ABCDEF"]);
  expect(of("=123456")).toEqual(["=123456"]);
});

test("what the machine could not take is counted once, and a day that has nothing else is there", () => {
  const sql = sqliteStorage();
  sql.exec(tables);
  const batch = { spool: sessions.spool, through: 5, surplus: 40, events: [] };
  for (let times = 0; times < 2; times++) takeEvidenceBatch(sql, batch, sessions.begin);
  takeEvidenceBatch(sql, { ...batch, through: 9, surplus: 42 }, sessions.begin);
  takeEvidenceBatch(
    sql,
    { ...batch, spool: "f".repeat(16), through: 1, surplus: 3 },
    sessions.begin,
  );
  expect(evidencePage(sql, {}).days).toMatchObject([{ calls: 0, surplus: 45 }]);
});

test("of more calls than are shown it is known how many, and whether networks can be told apart", () => {
  const { sql, say } = table();
  const details = { state: "connected", network: "" };
  for (let at = 0; at < 53; at++) say(details, { participant: `PA_person${at}` });
  const page = evidencePage(sql, { session: sessions.room });
  expect([page.calls.length, page.moreCalls, page.hasNetworks]).toEqual([50, 3, false]);
  say({ state: "connected" });
  expect(evidencePage(sql, {}).hasNetworks).toBe(true);
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

test("the hours of somebody have their calls, the kinds of bad ones, and others in other networks beside them", () => {
  const { sql, say } = table();
  const hour = 3_600_000;
  const at = Math.ceil(sessions.begin / hour) * hour;
  const by = (who: string, more: Partial<SessionEvent>) => ({
    ...{ participant: `PA_${who}1234`, identity: who.repeat(12), at, ...more },
  });
  say({ state: "connected", loss: "60", trip: "100" }, by("a", { at: at + 1 }));
  say({ state: "connected", trip: "500" }, by("a", { participant: "PA_later1", at: at + 2 }));
  say({ state: "failed", failure: "media" }, by("a", { participant: "", at: at + hour - 1 }));
  say({ state: "connected", trip: "20" }, by("a", { participant: "PA_later2", at: at + hour }));
  const elsewhere = { state: "connected", path: "udp", network: "f".repeat(12) };
  say(elsewhere, by("b", {}));
  say({ ...elsewhere, loss: "70" }, by("c", {}));
  say(elsewhere, by("d", { at: at + hour }));
  say({ state: "connected" }, by("e", {}));
  expect(evidencePage(sql, { name: "aaaa" }).hours).toEqual([
    {
      ...{ at, calls: 3, lossy: 1, slow: 1, broken: 1, others: { calls: 2, bad: 1 } },
      ...{ lossPermille: { sum: 60, count: 1 }, roundTripMs: { sum: 600, count: 2 } },
    },
    {
      ...{ at: at + hour, calls: 1, lossy: 0, slow: 0, broken: 0 },
      ...{ lossPermille: { sum: 0, count: 0 }, roundTripMs: { sum: 20, count: 1 } },
    },
  ]);
  const all = evidencePage(sql, {}).hours;
  expect(all?.map(({ calls }) => calls)).toEqual([6, 2]);
  expect(evidencePage(sql, { session: sessions.room }).hours).toBeUndefined();
});

test("the hours are those of the last 30 days with calls", () => {
  const { sql, say } = table();
  say({ state: "connected" });
  say({ state: "connected" }, { at: sessions.begin + 31 * day, participant: "PA_bob12" });
  expect(evidencePage(sql, {}).hours).toHaveLength(1);
  expect(evidencePage(sql, { name: sessions.identityHash }).hours).toHaveLength(1);
});

test("the file of calls has each once, over its parts, with whole hashes and nothing that a spreadsheet runs", async () => {
  const { sql, say } = table();
  const more = { loss: "60", trip: "140", jitter: "9", browser: "chrome/141", client: "js/2_16_1" };
  say({ state: "ended", path: "relay_tls", failure: "broken", ...more });
  say({ state: "failed" }, { participant: "", room: "", roomName: "==HYPERLINK(1)" });
  for (let at = 0; at < filePartSize; at++) {
    say({ state: "connected", path: "udp" }, { participant: `PA_more${at}` });
  }
  const read = async (after: number | undefined) => evidenceFilePart(sql, after);
  const stream = csvStream(evidenceFile, await read(undefined), read);
  const lines = (await new Response(stream).text()).split("\r\n");
  expect(lines).toHaveLength(1 + 2 + filePartSize + 1);
  const begin = new Date(sessions.begin).toISOString();
  expect(lines.slice(0, 3)).toEqual([
    "first heard,last heard,session,room,participant,identity,network,got in,bad,way,loss %,round trip ms,jitter ms,browser,sdk,fault",
    `${begin},${begin},${sessions.room},${sessions.roomHash},PA_alice1234,${sessions.identityHash},${network},yes,yes,relay-tls,6,140,9,chrome 141,js 2.16.1,broken`,
    `${begin},${begin},,'=HYPERLINK(1),,${sessions.identityHash},${network},no,yes,,,,,,,`,
  ]);
  expect(lines.at(-2)).toContain(`PA_more${filePartSize - 1},`);
});
