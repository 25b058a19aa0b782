import type { AgentSession } from "./agent-session";
import { agentUsageTables, removeOldAgentUsage, saveAgentUsage } from "./agent-usage.server";

/** In a server's History, beside its sessions. `record` is the session as JSON. */
export const agentTables = `
  create table if not exists agent_sessions (
    job text primary key, room text not null, at integer not null, record text not null
  ) without rowid;
  create index if not exists agent_sessions_by_room on agent_sessions (room);
  ${agentUsageTables}`;

/**
 * What came before of the same job is replaced: the machine sends it whole, as often as it changes. An SDK that sends
 * neither sound nor traces does not say when it began.
 */
export function saveAgentSessions(
  sql: SqlStorage,
  sessions: readonly AgentSession[],
  now: number,
): void {
  for (const session of sessions) {
    const { job, room, startedAt, endedAt, entries } = session;
    const at = startedAt || entries[0]?.at || endedAt || now;
    sql.exec(
      "insert or replace into agent_sessions (job, room, at, record) values (?, ?, ?, ?)",
      ...[job, room, at, JSON.stringify(session)],
    );
    saveAgentUsage(sql, session, at);
  }
}

/** The newest are last. More than twenty agents are in no room. */
export function agentSessionsOf(sql: SqlStorage, room: string): AgentSession[] {
  return sql
    .exec<{ record: string }>(
      "select record from agent_sessions where room = ? order by at, job limit 20",
      room,
    )
    .toArray()
    .map(({ record }) => JSON.parse(record) as AgentSession);
}

export function removeOldAgentSessions(sql: SqlStorage, from: number): void {
  sql.exec("delete from agent_sessions where at < ?", from);
  removeOldAgentUsage(sql, from);
}
