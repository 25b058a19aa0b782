import { withParticipants } from "../metrics/day-line";
import type { Sample } from "../metrics/packed-figures";
import { restartsAfter } from "../state/restart";
import {
  type Change,
  isSameMachine,
  type Milestones,
  maxChanges,
  type Report,
  type ServerRecord,
} from "../state/server-record";
import { silentAfterMs } from "../state/state";
import { suspendedForMs, withoutEndedSuspension } from "../state/suspension.server";
import { trafficAfter } from "../state/thresholds";

/** One report may come every 20 seconds, and ten at once. */
const refillMs = 20_000;
const burst = 10;
/** So many boots of one key are stored. Of more copies than these each would look new whenever its turn comes. */
const maxBoots = 12;
/** For so long after a reboot a report of the boot before may still be on its way. */
const lateMs = 120_000;
/** A machine waits for a quiet moment for twelve hours at most, so that one busy for longer is stuck. */
const maxBusyMs = 13 * 60 * 60_000;

export type Taken =
  /** `record` and `sample` are to be written; without a record nothing is. */
  | { outcome: "taken"; record?: ServerRecord; sample?: Sample }
  | { outcome: "too-often"; waitMs: number }
  /** Nothing of it is saved: the plan has no room for this server. */
  | { outcome: "paused"; waitMs: number }
  | { outcome: "key-revoked" }
  | { outcome: "another-machine"; record?: ServerRecord }
  /** Somebody refused the machine, and nobody can allow it any more. */
  | { outcome: "machine-refused" };

/**
 * The record of a server after a report. Reports are put in order by boot and sequence number, never by the
 * machine's clock: one that was taken before, or that is older than the newest of its boot, is answered like the first
 * time and changes nothing. Where nothing newer came for three minutes, nothing is on its way any more, since a machine
 * sends one report at a time and each once: the machine was set back to an earlier moment, or the newest boot is gone,
 * and what comes then is the newest.
 */
export function takeReport(record: ServerRecord, report: Report, now: number): Taken {
  if (record.retiredAt !== undefined) return { outcome: "key-revoked" };
  const waitMs = suspendedForMs(record, now);
  if (waitMs !== undefined) return { outcome: "paused", waitMs: waitMs };
  const sameBoot = record.boots.find(({ id }) => id === report.boot);
  const isQuiet = now - (record.reportAt ?? 0) > silentAfterMs;
  if (sameBoot && (isQuiet ? report.seq === sameBoot.seq : report.seq <= sameBoot.seq)) {
    return { outcome: "taken" };
  }
  const left = Math.min(burst, record.bucket.left + (now - record.bucket.at) / refillMs);
  if (left < 1) return { outcome: "too-often", waitMs: Math.ceil((1 - left) * refillMs) };
  const bucket = { left: left - 1, at: now };
  // Another machine that asks for the place takes nothing from this one, such as the end of a pause.
  if (!isSameMachine(record, report)) return fromAnotherMachine({ ...record, bucket }, report, now);
  const counted = { ...withoutEndedSuspension(record), bucket };
  const { silence, ...rest } = counted;
  const returned = silence ? { ...rest, fellAt: silence.foundAt } : rest;
  const newest = record.boots.at(-1);
  const isOlderBoot = sameBoot !== undefined && sameBoot !== newest;
  const isBeside = isOlderBoot && newest !== undefined && now - newest.firstAt > lateMs;
  const duplicate = isBeside ? { duplicateAt: now } : {};
  if (isOlderBoot && !isQuiet) {
    const boots = record.boots.map((boot) =>
      boot === sameBoot ? { ...boot, seq: report.seq } : boot,
    );
    return { outcome: "taken", record: { ...returned, boots, ...duplicate } };
  }
  const others = record.boots.filter((boot) => boot !== sameBoot);
  const boot = { id: report.boot, seq: report.seq, firstAt: sameBoot?.firstAt ?? now };
  const { updatingAt: _, uncheckedAt: __, busyAt: ___, traffic: ____, ...lasting } = returned;
  const updatingAt = report.going === "update" ? (record.updatingAt ?? now) : undefined;
  const busyAt = report.isBusy ? (record.busyAt ?? now) : undefined;
  const working = withoutStoppedWork(report, { updatingAt, busyAt }, now);
  const uncheckedAt = uncheckedSince(record, working, isQuiet, now);
  const settled = withSettledFiles(withKeptFindings(working, record.report), record.report);
  const changes = record.report ? changesBetween(record.report, settled, now) : [];
  const traffic = trafficAfter(record, report, now);
  const restarts = restartsAfter(record, report);
  const day = withParticipants(record.day, report.metrics.participants, now);
  return {
    outcome: "taken",
    record: {
      ...lasting,
      ...(traffic ? { traffic } : {}),
      ...duplicate,
      ...(updatingAt === undefined ? {} : { updatingAt }),
      ...(busyAt === undefined ? {} : { busyAt }),
      ...(uncheckedAt === undefined ? {} : { uncheckedAt }),
      ...(report.domain ? { domain: report.domain } : {}),
      ...(report.node ? { livekit: { id: report.node.id, at: report.at } } : {}),
      ...(restarts.length > 0 ? { restarts } : {}),
      boots: [...others, boot].slice(-maxBoots),
      report: settled,
      reportAt: now,
      changes: [...changes, ...record.changes].slice(0, maxChanges),
      ...(day ? { day } : {}),
      milestones: milestonesAfter(record, settled, now),
    },
    sample: sampleOf(record, report, now),
  };
}

function milestonesAfter({ milestones }: ServerRecord, report: Report, now: number): Milestones {
  const { doctorAt, findings, metrics } = report;
  const hasPassed =
    doctorAt !== undefined && findings.every(({ severity }) => severity !== "critical");
  return {
    ...(hasPassed ? { doctorPassedAt: doctorAt } : {}),
    ...((metrics.participants ?? 0) > 0 ? { callAt: now } : {}),
    ...milestones,
  };
}

function withoutStoppedWork(
  report: Report,
  { updatingAt, busyAt }: { updatingAt: number | undefined; busyAt: number | undefined },
  now: number,
): Report {
  const lasts = (since = now) => now - since < maxBusyMs;
  const { going, isBusy, ...rest } = report;
  return {
    ...rest,
    ...(going && lasts(updatingAt) ? { going } : {}),
    ...(isBusy && lasts(busyAt) ? { isBusy } : {}),
  };
}

/** A doctor that could not run has no findings, which does not mean that the former ones are mended. */
function withKeptFindings(report: Report, former: Report | undefined): Report {
  if (report.doctorAt !== undefined || former?.doctorAt === undefined) return report;
  if (!isSameMachine(report, former)) return report;
  const { doctorAt, findings, certificates } = former;
  return { ...report, doctorAt, findings, certificates };
}

/** The count begins anew after a silence, and while the machine goes or is busy: its doctor does not run then. */
function uncheckedSince(
  { report: former, uncheckedAt }: ServerRecord,
  { doctorAt, going, isBusy }: Report,
  isQuiet: boolean,
  now: number,
): number | undefined {
  const hasLooked = doctorAt !== undefined && doctorAt !== former?.doctorAt;
  if (hasLooked) return;
  return isQuiet || going || isBusy ? now : (uncheckedAt ?? now);
}

/** While files are exchanged some are of the version before. Until they are whole it counts as what was there. */
function withSettledFiles(report: Report, former: Report | undefined): Report {
  if (!former || report.going !== "update" || !report.madeFrom?.isChanged) return report;
  const { madeFrom: _, ...rest } = report;
  const { version, madeFrom } = former;
  return { ...rest, version, ...(madeFrom ? { madeFrom } : {}) };
}

/** Another machine requests the place of the server, once. One that was refused, or that comes while another request is open, changes nothing. */
function fromAnotherMachine(
  record: ServerRecord,
  { machine, instance }: Report,
  now: number,
): Taken {
  const other = { machine, instance };
  const wasRefused = record.refused.some((each) => isSameMachine(each, other));
  if (wasRefused) return { outcome: "machine-refused" };
  if (record.request) return { outcome: "another-machine" };
  return { outcome: "another-machine", record: { ...record, request: { ...other, at: now } } };
}

/** What is counted is the difference of two counts of one boot or process: a lost report or a restart distorts nothing. */
function sampleOf({ report: former, reportAt }: ServerRecord, report: Report, now: number): Sample {
  const { participants, rooms, egress } = report.metrics;
  const before = former?.boot === report.boot ? former : undefined;
  const seconds = reportAt === undefined ? 0 : (now - reportAt) / 1_000;
  const perSecond = (count: number | undefined) =>
    count === undefined || seconds <= 0 ? undefined : count / seconds;
  const rounded = (value: number | undefined) => value && Math.round(value);
  const isSameProcess =
    report.node !== undefined &&
    before?.node?.id === report.node.id &&
    before.node.startedAt === report.node.startedAt;
  const inProcess = (name: string) =>
    isSameProcess ? countedSince(before?.metrics[name], report.metrics[name]) : undefined;
  const failedJoins = perSecond(inProcess("joins-failed"));
  const figures = {
    participants,
    rooms,
    load: report.load,
    memory: report.memory?.used,
    disk: report.disk?.used,
    in: rounded(perSecond(countedSince(before?.network?.in, report.network?.in))),
    out: rounded(perSecond(countedSince(before?.network?.out, report.network?.out))),
    cpu: partOf(
      countedSince(before?.cpu?.busy, report.cpu?.busy),
      countedSince(before?.cpu?.total, report.cpu?.total),
      100,
    ),
    loss: partOf(inProcess("loss-sum"), inProcess("loss-count")),
    // LiveKit says microseconds.
    jitter: partOf(inProcess("jitter-sum"), inProcess("jitter-count"), 0.001),
    failedJoins: failedJoins === undefined ? undefined : failedJoins * 60,
    recordings: egress,
  };
  const settled = Object.entries(figures).filter(([, value]) => value !== undefined);
  return { at: now, ...Object.fromEntries(settled) };
}

function countedSince(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined || after === undefined || after < before) return;
  return after - before;
}

/** Nothing where nothing was counted. */
function partOf(part: number | undefined, whole: number | undefined, scale = 1) {
  return part === undefined || !whole ? undefined : (part / whole) * scale;
}

type Named = ReadonlyMap<string, string>;

/** What is different in a report, compared with the one that was taken before it. */
function changesBetween(former: Report, latter: Report, now: number): Change[] {
  const change = (code: Change["code"], subject = "", from = "", to = ""): Change => ({
    ...{ at: now, code, subject, from, to },
  });
  const differences = (code: Change["code"], before: Named, after: Named) => {
    if (before.size + after.size === 0) return [];
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => change(code, name, before.get(name), after.get(name)));
  };
  return [
    ...(former.boot === latter.boot ? [] : [change("boot")]),
    ...filesChange(former, latter).map(([from, to]) => change("version", "", from, to)),
    ...(former.node?.startedAt === latter.node?.startedAt || !latter.node || !former.node
      ? []
      : [change("node", "", former.node.id, latter.node.id)]),
    ...differences("address", addresses(former), addresses(latter)),
    ...differences("certificate", certificates(former), certificates(latter)),
    ...differences("service", services(former), services(latter)),
    ...differences("finding", findings(former), findings(latter)),
  ];
}

/** Other files, or the same ones as those of another version. What they were and became is said where it differs. */
function filesChange(former: Report, latter: Report): [from: string, to: string][] {
  const [from, to] = [versionWords(former), versionWords(latter)];
  if (from !== to) return [[from, to]];
  return former.version === latter.version ? [] : [["", ""]];
}

function versionWords({ madeFrom }: Report): string {
  if (!madeFrom) return "";
  return madeFrom.isChanged
    ? `version ${madeFrom.version}, changed`
    : `version ${madeFrom.version}`;
}

const addresses = ({ addresses }: Report): Named =>
  new Map(addresses.map(({ family, address }) => [`IPv${family}`, address]));

const certificates = ({ certificates }: Report): Named =>
  new Map(certificates.map(({ name, ends }) => [name, new Date(ends).toISOString().slice(0, 10)]));

const services = ({ services }: Report): Named =>
  new Map(services.map(({ name, image, state }) => [name, `${image} ${state}`.trim()]));

const findings = ({ findings }: Report): Named =>
  new Map(findings.map(({ code, severity, subject }) => [`${code} ${subject}`.trim(), severity]));
