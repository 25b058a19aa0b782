import { checkFindings } from "~/features/deployments/checks/check";
import { withAdvisories } from "./advisory-findings";
import { forLayout, layoutFindings } from "./connected-findings";
import { isHostName, type Report, type ServerRecord, type Suspension } from "./server-record";
import { lastingSuspension, visibleSuspension } from "./suspension.server";
import { thresholdFindings } from "./thresholds";

/** The stages of a first boot in their order: as machines name them, and as pages do. */
export const stages = {
  connected: "Connected",
  secrets: "Secrets",
  packages: "Packages",
  tools: "Docker and tools",
  images: "Images",
  services: "Services",
  ready: "Ready",
} as const;

/** A doctor checks every five minutes. */
const doctorSilentAfterMs = 60 * 60_000;

const doctorSilent: Report["findings"][number] = {
  ...{ code: "doctor.silent", severity: "warning", subject: "", found: "", wanted: "" },
};

/**
 * What its doctor found when it last looked, or what its layout means where it has none, what is known of the versions that run, thresholds of the team's own that are
 * exceeded, what checks found from outside, and that no doctor looks where reports came for an hour without one.
 */
export function findingsOf(record: ServerRecord): Report["findings"] {
  const { report, reportAt, uncheckedAt } = record;
  if (!report || reportAt === undefined) return [];
  const reported = [
    ...layoutFindings(report, reportAt),
    ...forLayout(withAdvisories(report), report),
    ...thresholdFindings(record),
  ];
  const findings = [...reported, ...forLayout(outsideFindings(record, reported), report)];
  if (reportAt - (uncheckedAt ?? reportAt) < doctorSilentAfterMs) return findings;
  return [...findings, doctorSilent];
}

/** Without what the doctor found too. Of a server that is down nothing more is said. */
function outsideFindings(
  { outside, silence }: ServerRecord,
  reported: Report["findings"],
): Report["findings"] {
  if (silence && !silence.probe?.answers) return [];
  return checkFindings(outside).filter(
    ({ code, subject }) => !reported.some((each) => each.code === code && each.subject === subject),
  );
}

export const silentAfterMs = 3 * 60_000;
/** A server that announced its reboot or update has longer to come back, once it waits for calls no more. */
const silentAfterShutdownMs = 15 * 60_000;
/** An incident that silence opened is held for so long: docs/decisions/0055. */
export const heldMs = 2 * 60_000;

/** An ingest outage: a time in which reports did not reach us through our own fault. Without an end it lasts. */
export type Outage = { since: number; endedAt?: number };

/** When the server falls, or fell, silent, unless it reports before; undefined before its first report. */
export function silentAt(record: ServerRecord, outage?: Outage): number | undefined {
  const at = silentUnjudged(record);
  if (at === undefined || !outage?.endedAt || !isHiddenBy(at, outage)) return at;
  if (isUnreachable(record)) return at;
  return Math.max(at, outage.endedAt + silentAfter(record));
}

/** Whether the server falls silent now: its silence is not noted yet, and reports of it are waited for no longer. */
export function fallsSilent(record: ServerRecord, now: number, outage?: Outage): boolean {
  const at = silentAt(record, outage);
  return !record.silence && record.retiredAt === undefined && at !== undefined && now >= at;
}

/**
 * Whether a silent server's domain does not answer, though others on the internet do: that is no fault of ours, whatever
 * the judge of outages says.
 */
function isUnreachable({ silence }: ServerRecord): boolean {
  return silence?.probe?.answers === false && silence.probe.isCertain === true;
}

/** Whether the server's silence is our fault: it lasts since about when our outage began, which has not ended. */
export function isHiddenByOutage(record: ServerRecord, now: number, outage?: Outage): boolean {
  const at = silentUnjudged(record);
  if (at === undefined || !outage || outage.endedAt !== undefined) return false;
  if (isUnreachable(record)) return false;
  return now >= at && isHiddenBy(at, outage);
}

/** Whether its silence means nothing now: it is our fault, or was until so shortly ago that the count began anew. */
export function isExcused(record: ServerRecord, now: number, outage?: Outage): boolean {
  const at = silentUnjudged(record);
  if (at === undefined || now < at) return false;
  return isHiddenByOutage(record, now, outage) || now < (silentAt(record, outage) ?? at);
}

/** Two boots that take turns are both signs of life. Nobody waits for reports of a server that is paused. */
function silentUnjudged(record: ServerRecord): number | undefined {
  const { reportAt, duplicateAt = 0, suspension } = record;
  if (reportAt === undefined || lastingSuspension(record)) return;
  return Math.max(Math.max(reportAt, duplicateAt) + silentAfter(record), suspension?.until ?? 0);
}

const silentAfter = ({ report }: ServerRecord): number =>
  report?.going ? silentAfterShutdownMs + (report.drainMinutes ?? 0) * 60_000 : silentAfterMs;

/** What fell silent while incidents are held before an outage belongs to it; what reported after its end does not. */
function isHiddenBy(at: number, { since, endedAt = Number.POSITIVE_INFINITY }: Outage): boolean {
  return at >= since - heldMs && at - silentAfterMs <= endedAt;
}

/** What a server is like now. `since` is in milliseconds since 1970, like every time here. */
export type ServerState =
  | { code: "waiting" }
  /** `stage`: the first stage of the first boot that is not reached. */
  | { code: "booting"; stage: string }
  | { code: "healthy" }
  /** `finding`: the code of the worst one. */
  | { code: "degraded"; finding: string }
  | { code: "updating"; since: number }
  /** It does not report, but its LiveKit answers, or it was not probed yet. */
  | { code: "silent"; since: number }
  /** It neither reports nor answers. */
  | { code: "down"; since: number }
  | { code: "duplicate" }
  /** `isEnding`: the next report counts again. */
  | ({ code: "paused"; isEnding: boolean } & Pick<Suspension, "why" | "allowed">)
  | { code: "retired"; since: number };

const duplicateForMs = 60 * 60_000;
/** For so long after its enrolment, or after another machine took its place, a first boot excuses a server. */
const maxBootMs = 2 * 60 * 60_000;

/**
 * The first stage of the first boot that is not reached; undefined where that is over, has failed or takes too long. A
 * machine that was connected later has no stages: its first boot was before.
 */
export function nextStage(
  { report, enrolledAt, changes }: ServerRecord,
  now: number,
): string | undefined {
  const reached = new Set(report?.stages.map(({ code }) => code));
  if (reached.size === 0 || reached.has("ready")) return;
  if (report?.findings.some(({ code }) => code === "boot.failed")) return;
  const begun = changes.find(({ code }) => code === "machine")?.at ?? enrolledAt;
  return now - begun < maxBootMs
    ? Object.keys(stages).find((each) => !reached.has(each))
    : undefined;
}

/** What a server is like at a moment. */
export function stateOf(record: ServerRecord, now: number, outage?: Outage): ServerState {
  const { report, reportAt, retiredAt, duplicateAt, silence, domain } = record;
  if (retiredAt !== undefined) return { code: "retired", since: retiredAt };
  const pause = visibleSuspension(record, now);
  if (pause) {
    const { why, allowed, until } = pause;
    return { code: "paused", why, allowed, isEnding: until !== undefined };
  }
  if (!report || reportAt === undefined) return { code: "waiting" };
  if (isExcused(record, now, outage)) return { code: "silent", since: reportAt };
  if (now >= (silentAt(record, outage) ?? now)) {
    // Before the first probe it may be either of the two.
    const answers = silence?.probe ? silence.probe.answers : isHostName(domain);
    return { code: answers ? "silent" : "down", since: reportAt };
  }
  if (duplicateAt !== undefined && now - duplicateAt < duplicateForMs) return { code: "duplicate" };
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
