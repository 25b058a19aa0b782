import type { ServerRecord } from "./server-record";
import type { ServerState, ServerView } from "./server-view";

const silentAfterMs = 3 * 60_000;
/** Whoever said that it goes away has longer to come back. */
const silentAfterGoingMs = 15 * 60_000;
const twiceForMs = 60 * 60_000;

/** The stages of a first boot in their order, as machines name them. */
const stages = ["connected", "secrets", "packages", "tools", "images", "services", "ready"];

/** What a server is like at a moment. */
export function stateOf(record: ServerRecord, now: number): ServerState {
  const { report, reportAt, retiredAt, twiceAt } = record;
  if (retiredAt !== undefined) return { code: "retired", since: retiredAt };
  if (!report || reportAt === undefined) return { code: "waiting" };
  if (twiceAt !== undefined && now - twiceAt < twiceForMs) return { code: "twice" };
  const silentAfter = report.going ? silentAfterGoingMs : silentAfterMs;
  if (now - reportAt > silentAfter) return { code: "silent", since: reportAt };
  if (report.going === "update") return { code: "updating", since: reportAt };
  const reached = new Set(report.stages.map(({ code }) => code));
  const stage = stages.find((each) => !reached.has(each));
  // A machine that was connected later has no stages: its first boot was before.
  if (reached.size > 0 && stage) return { code: "booting", stage };
  const worst = report.findings.find(({ severity }) => severity === "critical");
  const finding = worst ?? report.findings[0];
  return finding ? { code: "degraded", finding: finding.code } : { code: "healthy" };
}

/** A server as the site shows it. */
export function viewOf(record: ServerRecord, now: number): ServerView {
  const { id, deployment, name, enrolledAt, retiredAt, report, reportAt, request } = record;
  return {
    ...{ id, deployment, name, enrolledAt, retiredAt, request },
    state: stateOf(record, now),
    lastReportAt: reportAt,
    version: report?.version,
    stages: report?.stages ?? [],
    findings: report?.findings ?? [],
    services: report?.services ?? [],
    certificates: report?.certificates ?? [],
    addresses: report?.addresses ?? [],
    doctorAt: report?.doctorAt,
    backupAt: report?.backupAt,
    rebootPending: report?.rebootPending ?? false,
    rooms: report?.metrics.rooms,
    participants: report?.metrics.participants,
  };
}
