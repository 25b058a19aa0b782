import { expect, test } from "vitest";
import { AgentReader, type AgentSession } from "~/features/servers/agent-sessions/agent-session.ts";
import { saveAgentSessions } from "~/features/servers/agent-sessions/agent-sessions.server.ts";
import { evidencePage } from "~/features/servers/room-sessions/evidence-table.server.ts";
import { takeEvents } from "~/features/servers/room-sessions/history.server.ts";
import { sessionList, sessionPage } from "~/features/servers/room-sessions/history-pages.server.ts";
import { tables } from "~/features/servers/room-sessions/history-tables.server.ts";
import { unrecordedAgents } from "~/features/servers/session-pages/agent-words.ts";
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
  const { events: batch, agents } = simulatedSessions(usage, now);
  takeEvents(sql, batch, now);
  saveAgentSessions(sql, agents.sessions, now);
  return { sql, batch, agents, usage, list: sessionList(sql, {}) };
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

test("the app of a trial's customer said of two calls which way they took, and of a network what went wrong there", () => {
  const { sql, list } = simulated();
  const { days, networks } = evidencePage(sql, {});
  const sums = days.reduce((sum, { calls }) => sum + calls, 0);
  expect(sums).toBe(2 + 2 + 5);
  expect(days.flatMap(({ failures }) => Object.entries(failures))).toEqual([["media", 1]]);
  const [worst] = networks.toSorted((one, other) => other.bad - one.bad);
  expect(worst).toMatchObject({ calls: 3, bad: 3 });
  const broken = list.sessions.find(({ aborted }) => aborted > 0);
  const { calls } = evidencePage(sql, { session: broken?.sid ?? "" });
  expect(calls.map(({ state }) => state).toSorted()).toEqual([
    ...["ended", "ended", "ended", "ended", "failed"],
  ]);
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

test("two of a trial's calls were with an agent, and the later one has a slow reply, an interruption and a tool that failed", () => {
  const { sql, list, agents } = simulated();
  const pages = list.sessions.flatMap(({ sid }) => sessionPage(sql, sid) ?? []);
  const spoken = pages.filter((page) => page.agents.length > 0);
  expect(spoken.map((page) => page.agents[0]?.job).sort()).toEqual(
    agents.sessions.map(({ job }) => job).sort(),
  );
  for (const { session, participants, agents: [agent] = [] } of spoken) {
    expect(unrecordedAgents(participants, agent ? [agent] : []).count).toBe(0);
    const during = (agent?.entries ?? []).map(({ at }) => at);
    expect(during.length).toBeGreaterThan(10);
    expect(during).toEqual(during.toSorted((one, other) => one - other));
    expect(Math.min(...during)).toBeGreaterThan(session.startedAt);
    expect(Math.max(...during)).toBeLessThan(session.endedAt ?? 0);
  }
  const has = (key: "hasFailed" | "isCut") =>
    agents.sessions.map(({ entries }) => entries.some((entry) => entry[key]));
  expect([has("hasFailed"), has("isCut")]).toEqual([
    [false, true],
    [false, true],
  ]);
  // As a machine's report says it, so that the console shows nothing here that it does not get there.
  const reader = new AgentReader();
  for (const session of agents.sessions) read(reader, session);
  expect(reader.sessions).toEqual(agents.sessions);
});

/** The lines of a report that say this session. */
function read(reader: AgentReader, session: AgentSession) {
  const { job, room, agent, sdk, startedAt, endedAt, reason, errors, usage, entries } = session;
  reader.read("agent", [
    ...["1", job, room, `agent=${agent}`, `sdk=${sdk}`, `started=${startedAt}`],
    ...[`ended=${endedAt}`, `reason=${reason}`, "audio=1"],
    ...Object.entries(errors).map(([part, count]) => `errors-${part}=${count}`),
  ]);
  for (const { model, counts } of usage) {
    const fields = Object.entries(counts).map(([name, count]) => `${name}=${count}`);
    reader.read("agent-usage", [`model=${model}`, ...fields]);
  }
  for (const { hasFailed, isCut, ...fields } of entries) {
    reader.read("agent-entry", [
      ...Object.entries(fields).map(([name, value]) => `${name}=${value}`),
      ...(hasFailed ? ["failed=1"] : []),
      ...(isCut ? ["cut=1"] : []),
    ]);
  }
}
