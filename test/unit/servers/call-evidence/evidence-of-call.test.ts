import { expect, test } from "vitest";
import { evidenceOfCall } from "~/features/servers/room-sessions/call-evidence.server.ts";
import {
  saveEvidenceCounts,
  takeEvidence,
} from "~/features/servers/room-sessions/evidence-table.server.ts";
import { tables } from "~/features/servers/room-sessions/history-tables.server.ts";
import type { SessionEvent } from "~/features/servers/room-sessions/session-event.ts";
import { sessions } from "../../../support/servers/session-lines.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const network = "0123456789ab";
const minute = 60_000;
const hour = 60 * minute;
const bob = "b".repeat(12);

function table() {
  const sql = sqliteStorage();
  sql.exec(tables);
  let number = 0;
  return {
    sql,
    say(details: SessionEvent["details"], more: Partial<SessionEvent> = {}) {
      number += 1;
      const counts = new Map();
      const event: SessionEvent = {
        ...{ number, at: sessions.begin, kind: "call_evidence", room: sessions.room },
        ...{ roomName: sessions.roomHash, participant: sessions.participant },
        ...{ identity: sessions.identityHash, details: { network, ...details }, ...more },
      };
      takeEvidence(sql, event, counts);
      saveEvidenceCounts(sql, counts);
    },
  };
}

const call = {
  ...{ sid: sessions.participant, identity: sessions.identityHash, roomName: sessions.roomHash },
  ...{ joinedAt: sessions.begin, until: sessions.begin + 5 * minute },
};

test("what an app said is found by LiveKit's id, and without that by who joined which room when", () => {
  const { sql, say } = table();
  say({ state: "failed", failure: "media" }, { participant: "", at: sessions.begin + minute });
  expect(evidenceOfCall(sql, call).said?.failure).toBe("media");
  say({ state: "connected", path: "udp" });
  expect(evidenceOfCall(sql, call).said?.way).toBe("udp");
  for (const other of [{ identity: bob }, { roomName: "ffffffffffff" }, { sid: "PA_other123" }]) {
    const found = evidenceOfCall(sql, { ...call, ...other, joinedAt: sessions.begin + hour });
    expect(found.said).toBeUndefined();
  }
});

test("others count once each, by their network and time, and who it is about is not among them", () => {
  const { sql, say } = table();
  const person = (letter: string, at: number = sessions.begin) => ({
    ...{ identity: letter.repeat(12), participant: `PA_person${letter}${at % 1_000}`, at },
  });
  say({ state: "connected", path: "relay_tls", direct: "silent" });
  say({ state: "failed", failure: "media" }, { ...person("b"), participant: "" });
  say({ state: "failed", failure: "media" }, { ...person("b"), participant: "" });
  say(
    { state: "connected", path: "tcp", direct: "silent" },
    person("c", sessions.begin + 5 * hour),
  );
  say({ state: "connected", path: "udp", network: "ffffffffffff", loss: "90" }, person("d"));
  say(
    { state: "connected", path: "udp", network: "ffffffffffff" },
    person("e", sessions.begin - hour),
  );
  const { there, elsewhere } = evidenceOfCall(sql, call);
  expect(there).toEqual({
    ...{ identities: [bob, "c".repeat(12)], through: 1, failed: 1, poor: 0, lossySenders: 0 },
    ...{ udp: 0, blocked: 1, relayed: 0 },
  });
  expect(elsewhere).toMatchObject({ identities: ["d".repeat(12)], through: 1, poor: 1, udp: 1 });
});

test("what somebody sent in vain and all in the room miss is a fault of theirs, and not of those who miss it", () => {
  const { sql, say } = table();
  const elsewhere = { state: "connected", path: "udp", network: "ffffffffffff" };
  const others = [
    // Another room, an app that does not say what it sent, and one whose own way loses packets too.
    [{ ...elsewhere, loss: "100", sent: "0" }, { roomName: "c".repeat(12) }],
    [{ ...elsewhere, loss: "100" }, {}],
    [{ ...elsewhere, loss: "100", sent: "100" }, {}],
    [{ ...elsewhere, loss: "100", sent: "0" }, {}],
  ] as const;
  others.forEach(([details, more], at) => {
    say(details, { identity: `${at}`.repeat(12), participant: `PA_other${at}`, ...more });
  });
  say({ state: "connected", path: "udp", loss: "110", sent: "200" });
  expect(evidenceOfCall(sql, call).elsewhere).toMatchObject({
    through: 4,
    poor: 3,
    lossySenders: 0,
  });
  say({ state: "connected", path: "udp", loss: "110", sent: "2" }, { at: sessions.begin + 1 });
  expect(evidenceOfCall(sql, call).elsewhere).toMatchObject({
    through: 4,
    poor: 4,
    lossySenders: 1,
  });
});

test("of a network that is not known nobody is, and everybody is elsewhere", () => {
  const { sql, say } = table();
  say({ state: "connected", path: "udp" }, { identity: bob, participant: "PA_bob12" });
  say(
    { state: "connected", path: "udp", network: "" },
    { identity: "c".repeat(12), participant: "PA_carol1" },
  );
  const { there, elsewhere } = evidenceOfCall(sql, call);
  expect([there.through, elsewhere.through]).toEqual([0, 1]);
});
