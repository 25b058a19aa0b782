import { stepReport, stepServer } from "../incidents/causes";
import { saveIncident } from "../incidents/incident-table.server";
import type { DayLine } from "../metrics/day-line";
import { nextNumber } from "../metrics/metrics-table.server";
import {
  dayKey,
  dayOf,
  firstFigures,
  laterFigures,
  minuteMs,
  minutesOfQuarter,
  packDay,
  quarterMs,
  quarterOf,
  quartersOfDay,
  spreadsOf,
  withSample,
} from "../metrics/packed-figures";
import type { ServerRecord } from "../state/server-record";
import { addRecord } from "../state/server-table.server";
import { silentAfterMs } from "../state/state";
import { participantsAt, simulatedSample, type Usage } from "./simulated-past";
import {
  type SimulatedRole,
  simulatedReport,
  simulatedServers,
  usageOf,
} from "./simulated-servers";

const hourMs = 60 * minuteMs;
/** Minutes of so many hours are stored of the healthy server, which is what its page shows first; and days before. */
const healthyHours = 50;
const downHours = 5.5;
/** So long before the trial begins the server that is down reported for the last time. */
const downForMs = 6 * minuteMs;

/** The deployments whose servers are simulated, by their ids. */
export type TrialDeployments = { production: string; staging: string };

/**
 * Adds the servers of a trial with their past, and the open incident of the one that is down: as reports, silence and a
 * probe would have made them. Answers their ids.
 */
export function seedTrial(
  sql: SqlStorage,
  now: number,
  { production, staging }: TrialDeployments,
): Record<SimulatedRole, string> {
  const surroundings = { newId: () => crypto.randomUUID() };
  const healthyAt = now - healthyHours * hourMs;
  const healthy = reported(newServer("healthy", production, healthyAt), now, now - 20_000);
  add(sql, healthy, now, { from: quarterOf(now - 48 * hourMs), usage: usageOf("healthy", now) });

  const lastAt = now - downForMs;
  const alive = reported(newServer("down", production, now - downHours * hourMs), now, lastAt);
  const silentAt = lastAt + silentAfterMs;
  const silence = { foundAt: silentAt, probe: { at: silentAt, answers: false, isCertain: true } };
  const fallen = stepServer({ record: { ...alive, silence } }, silentAt, surroundings, alive);
  const from = quarterOf(now - downHours * hourMs);
  add(sql, fallen.record, lastAt, { from, usage: usageOf("down", now) });
  if (fallen.incident) saveIncident(sql, fallen.incident);

  const booting = newServer("booting", staging, now);
  add(sql, booting, now);
  return { healthy: healthy.id, down: fallen.record.id, booting: booting.id };

  function reported(record: ServerRecord, begunAt: number, at: number): ServerRecord {
    const role = record.name === simulatedServers.healthy.name ? "healthy" : "down";
    const usage = usageOf(role, begunAt);
    const report = simulatedReport(record, { role, begunAt: record.enrolledAt, usage }, at);
    const { step } = stepReport({ record }, report, at, surroundings);
    const after = step?.record ?? record;
    const boots = after.boots.map((boot) => ({ ...boot, firstAt: record.enrolledAt }));
    return { ...after, boots, day: dayOfUsage(usage, at) };
  }
}

/** A server that has just been connected. Its key is random: no secret gives this hash. */
function newServer(role: SimulatedRole, deployment: string, enrolledAt: number): ServerRecord {
  return {
    ...{ id: crypto.randomUUID(), deployment, name: simulatedServers[role].name, enrolledAt },
    ...{ keyHash: randomHash(), machine: randomHash(), instance: `i-${role}`, isSimulated: true },
    domain: role === "booting" ? "staging.example.com" : "live.example.com",
    ...{ refused: [], boots: [], changes: [], bucket: { left: 10, at: enrolledAt } },
  };
}

function randomHash(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const slotMs = 30 * minuteMs;

function dayOfUsage(usage: Usage, at: number): DayLine {
  const most = Array.from({ length: 48 }, (_, slot) =>
    participantsAt(usage, at - (47 - slot) * slotMs),
  );
  return { slot: Math.floor(at / slotMs), most };
}

/** Adds a server; with a past also its figures from a quarter of an hour until a moment, and of the two days before. */
function add(
  sql: SqlStorage,
  record: ServerRecord,
  until: number,
  past?: { from: number; usage: Usage },
): void {
  const number = nextNumber(sql);
  addRecord(sql, record, { number, tokenHash: "simulated" });
  if (!past) return;
  for (let quarter = past.from; quarter <= quarterOf(until); quarter += 1) {
    sql.exec(
      "insert into quarters (server, quarter, minutes, later) values (?, ?, ?, ?)",
      ...[number, quarter, ...lists.map((list) => minutesOf(past.usage, quarter, until, list))],
    );
  }
  if (record.enrolledAt > until - 48 * hourMs) return;
  const today = dayOf(quarterOf(until));
  for (const day of [today - 2, today - 1]) {
    const quarters = Array.from({ length: quartersOfDay }, (_, at) => day * quartersOfDay + at);
    const packed = lists.map((list) =>
      packDay(
        quarters.map((quarter) => spreadsOf(minutesOf(past.usage, quarter, until, list), list)),
        list,
      ),
    );
    sql.exec(
      "insert into days (id, quarters, later) values (?, ?, ?)",
      ...[dayKey(day, number), ...packed],
    );
  }
}

const lists = [firstFigures, laterFigures];

function minutesOf(
  usage: Usage,
  quarter: number,
  until: number,
  list: (typeof lists)[number],
): ArrayBuffer {
  let minutes: ArrayBuffer | undefined;
  for (let minute = 0; minute < minutesOfQuarter; minute += 1) {
    const at = quarter * quarterMs + minute * minuteMs;
    minutes = withSample(minutes, at < until ? simulatedSample(usage, at) : { at }, list);
  }
  return minutes ?? new ArrayBuffer(0);
}
