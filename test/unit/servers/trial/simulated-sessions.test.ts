import { expect, test } from "vitest";
import { takeEvents } from "~/features/servers/room-sessions/history.server.ts";
import { sessionList, sessionPage } from "~/features/servers/room-sessions/history-pages.server.ts";
import { tables } from "~/features/servers/room-sessions/history-tables.server.ts";
import { participantsAt } from "~/features/servers/trial/simulated-past.ts";
import { usageOf } from "~/features/servers/trial/simulated-servers.ts";
import { simulatedSessions } from "~/features/servers/trial/simulated-sessions.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const now = Date.parse("2026-11-28T15:20:00Z");
const hour = 3_600_000;

function simulated() {
  const sql = sqliteStorage();
  sql.exec(tables);
  const usage = usageOf("healthy", now);
  const batch = simulatedSessions(usage, now);
  takeEvents(sql, batch, now);
  return { sql, batch, usage, list: sessionList(sql, {}) };
}

test("whoever is in a call of a trial now is in a session that goes on, and nobody else", () => {
  const { list, usage } = simulated();
  const running = list.sessions.filter(({ endedAt }) => endedAt === undefined);
  expect(running.reduce((sum, { present }) => sum + present, 0)).toBe(participantsAt(usage, now));
  for (const { endedAt = 0, end, present } of list.sessions.slice(running.length)) {
    expect([end, present]).toEqual(["finished", 0]);
    expect(endedAt).toBeLessThan(now);
  }
});

test("a trial's calls were in the last two days, as a machine would have said them, names as hashes", () => {
  const { batch } = simulated();
  for (const { at, roomName, participant, identity } of batch.events) {
    expect(at).toBeGreaterThan(now - 48 * hour);
    expect(at).toBeLessThanOrEqual(now);
    expect(roomName).toMatch(/^[0-9a-f]{12}$/);
    expect(identity).toMatch(participant ? /^[0-9a-f]{12}$/ : /^$/);
  }
  expect(batch.events.map(({ number }) => number)).toEqual(batch.events.map((_, at) => at + 1));
});

test("in one of a trial's calls a connection broke off twice, and another one never came to be", () => {
  const { sql, list } = simulated();
  const [broken, ...others] = list.sessions.filter(({ aborted }) => aborted > 0);
  expect(others).toEqual([]);
  const { participants = [] } = sessionPage(sql, broken?.sid ?? "") ?? {};
  const failed = participants.filter(({ reason }) => reason !== "CLIENT_INITIATED");
  expect(failed.map(({ reason }) => reason)).toEqual([
    ...["SIGNAL_CLOSE", "SIGNAL_CLOSE", "CONNECTION_TIMEOUT"],
  ]);
  expect(new Set(failed.map(({ identity }) => identity)).size).toBe(2);
});
