import { dayAt } from "./day-line";
import { findingsOf } from "./findings";
import { shownPause } from "./pauses";
import { isHostName } from "./report";
import type { ServerRecord } from "./server-record";
import type { IncidentSummary, ServerState, ServerView } from "./server-view";
import { isExcused, type Outage, silentAt } from "./silence";
import { stages } from "./stages";

const twiceForMs = 60 * 60_000;
/** For so long after its enrolment, or after another machine took its place, a first boot excuses a server. */
const longestBootMs = 2 * 60 * 60_000;

/**
 * The first stage of the first boot that is not reached; undefined where that is over, or takes too long. A machine that
 * was connected later has no stages: its first boot was before.
 */
export function nextStage(
  { report, enrolledAt, changes }: ServerRecord,
  now: number,
): string | undefined {
  const reached = new Set(report?.stages.map(({ code }) => code));
  if (reached.size === 0 || reached.has("ready")) return;
  const begun = changes.find(({ code }) => code === "machine")?.at ?? enrolledAt;
  return now - begun < longestBootMs
    ? Object.keys(stages).find((each) => !reached.has(each))
    : undefined;
}

/** What a server is like at a moment. */
export function stateOf(record: ServerRecord, now: number, outage?: Outage): ServerState {
  const { report, reportAt, retiredAt, twiceAt, silence, domain } = record;
  if (retiredAt !== undefined) return { code: "retired", since: retiredAt };
  const pause = shownPause(record, now);
  if (pause) {
    const { why, allowed, until } = pause;
    return { code: "paused", why, allowed, isEnding: until !== undefined };
  }
  if (!report || reportAt === undefined) return { code: "waiting" };
  if (isExcused(record, now, outage)) return { code: "silent", since: reportAt };
  if (now >= (silentAt(record, outage) ?? now)) {
    // Until we have asked there once, nobody knows which of the two it is.
    const answers = silence?.probe ? silence.probe.answers : isHostName(domain);
    return { code: answers ? "silent" : "down", since: reportAt };
  }
  if (twiceAt !== undefined && now - twiceAt < twiceForMs) return { code: "twice" };
  if (report.going === "update") {
    return { code: "updating", since: record.updatingAt ?? reportAt };
  }
  const stage = nextStage(record, now);
  if (stage) return { code: "booting", stage };
  const findings = findingsOf(record);
  const worst = findings.find(({ severity }) => severity === "critical");
  const finding = worst ?? findings[0];
  return finding ? { code: "degraded", finding: finding.code } : { code: "healthy" };
}

/** A server as the site shows it. */
export function viewOf(
  record: ServerRecord,
  now: number,
  {
    outage,
    incident,
  }: { outage?: Outage | undefined; incident?: IncidentSummary | undefined } = {},
): ServerView {
  const { id, deployment, name, enrolledAt, retiredAt, report, reportAt, request } = record;
  const state = stateOf(record, now, outage);
  return {
    ...{ id, deployment, name, enrolledAt, retiredAt, request },
    state,
    ourFault: state.code === "silent" && isExcused(record, now, outage) ? outage?.since : undefined,
    incident,
    maintenanceUntil:
      record.maintenanceUntil !== undefined && record.maintenanceUntil > now
        ? record.maintenanceUntil
        : undefined,
    lastReportAt: reportAt,
    madeFrom: report?.madeFrom,
    stages: report?.stages ?? [],
    findings: findingsOf(record),
    services: report?.services ?? [],
    certificates: report?.certificates ?? [],
    addresses: report?.addresses ?? [],
    doctorAt: report?.doctorAt,
    backupAt: report?.backupAt,
    rebootPending: report?.rebootPending ?? false,
    rooms: report?.metrics.rooms,
    participants: report?.metrics.participants,
    day: dayAt(record.day, now),
  };
}
