import { dayNumberOf } from "~/ui/dates";
import type { AgentSession } from "./agent-session";

/** What agents used of their models: a row for each figure of a session, by the day (UTC) on which it began. */
export const agentUsageTables = `
  create table if not exists agent_usage (
    job text, model text, name text, day integer not null, value real not null, primary key (job, model, name)
  ) without rowid;
  create index if not exists agent_usage_by_day on agent_usage (day);`;

export type AgentUsage = AgentSession["usage"];

/** From the first to the last day, in days since 1970 (UTC). */
export type DayRange = { from: number; to: number };

/** In the place of what was stored of the same session. `at`: when it began, in milliseconds since 1970. */
export function saveAgentUsage(sql: SqlStorage, { job, usage }: AgentSession, at: number): void {
  sql.exec("delete from agent_usage where job = ?", job);
  for (const { model, counts } of usage)
    for (const [name, value] of Object.entries(counts))
      sql.exec(
        `insert into agent_usage (job, model, name, day, value) values (?, ?, ?, ?, ?)
        on conflict do update set value = value + excluded.value`,
        ...[job, model, name, dayNumberOf(at), value],
      );
}

/** The sums of a server's agents in some days, for each model. */
export function agentUsageIn(sql: SqlStorage, { from, to }: DayRange): AgentUsage {
  const rows = sql
    .exec<{ model: string; name: string; value: number }>(
      `select model, name, sum(value) as value from agent_usage where day between ? and ?
      group by model, name order by model, name limit 1000`,
      ...[from, to],
    )
    .toArray();
  return summedUsage(rows.map(({ model, name, value }) => ({ model, counts: { [name]: value } })));
}

/** One for each model, in the order in which they come first. */
export function summedUsage(usage: AgentUsage): AgentUsage {
  const sums = new Map<string, Record<string, number>>();
  for (const { model, counts } of usage) {
    const sum = sums.get(model) ?? {};
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
    sums.set(model, sum);
  }
  return [...sums].map(([model, counts]) => ({ model, counts }));
}

export function removeOldAgentUsage(sql: SqlStorage, from: number): void {
  sql.exec("delete from agent_usage where day < ?", dayNumberOf(from));
}
