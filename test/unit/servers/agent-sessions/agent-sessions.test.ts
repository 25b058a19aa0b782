import { expect, test } from "vitest";
import type { AgentSession } from "~/features/servers/agent-sessions/agent-session.ts";
import {
  agentSessionsOf,
  agentTables,
  removeOldAgentSessions,
  saveAgentSessions,
} from "~/features/servers/agent-sessions/agent-sessions.server.ts";
import { agentJob } from "../../../support/servers/session-lines.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const now = Date.parse("2026-11-29T12:00:00Z");
const day = 86_400_000;
const room = "RM_k3KR8L8i5SJd";
const session: AgentSession = {
  ...{ job: agentJob, room, agent: "desk", sdk: "1.8.9", startedAt: 0, endedAt: 0, reason: "" },
  ...{ errors: {}, usage: [], entries: [], omitted: 0, hasAudio: false, isIncomplete: false },
};

test.for([
  { name: "its first turn", more: { entries: [{ at: now - 5 * day, by: "user" as const }] } },
  { name: "its end", more: { endedAt: now - 5 * day } },
  { name: "its coming", more: {} },
])("an agent's session without a start is stored as long as others, from $name on", ({ more }) => {
  const sql = sqliteStorage();
  for (const statement of agentTables.split(";")) if (statement.trim()) sql.exec(statement);
  saveAgentSessions(sql, [{ ...session, ...more }], now - 5 * day);
  removeOldAgentSessions(sql, now - 6 * day);
  expect(agentSessionsOf(sql, room)).toHaveLength(1);
  removeOldAgentSessions(sql, now - 4 * day);
  expect(agentSessionsOf(sql, room)).toEqual([]);
});
