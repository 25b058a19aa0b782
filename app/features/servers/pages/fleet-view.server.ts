import type { Incident, IncidentSummary } from "~/features/servers/incidents/incident";
import { dayAt } from "~/features/servers/metrics/day-line";
import { type Range, rangeSince } from "~/features/servers/metrics/series";
import {
  clusterIdOf,
  loadOf,
  type SavedServer,
  type ServerRecord,
} from "~/features/servers/state/server-record";
import { findingsOf, isExcused, type Outage, stateOf } from "~/features/servers/state/state";
import type { Monitor } from "../incidents/monitor.server";
import { historyOf } from "../incidents/server-history";
import { withStoredSeverities } from "../incidents/stored-incident";
import { logFailure } from "../log-failure";
import { latestSample, seriesOf } from "../metrics/metrics-table.server";
import { zoneIn } from "../notifications/times/alert-times.server";
import type { IngestOutage } from "../state/ingest-outage.server";
import { thresholdsFor } from "../state/thresholds";
import type { Thresholds } from "../state/thresholds.server";
import type { ServerView } from "./server-view";
import { toWire, type WireFigures, type WireOverview, type WirePage, type WireView } from "./wire";

/** What the site shows of servers. */
export class Views {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #monitor: Monitor;
  readonly #outage: IngestOutage;
  readonly #thresholds: Thresholds;

  constructor(
    sql: SqlStorage,
    now: () => number,
    parts: { monitor: Monitor; outage: IngestOutage; thresholds: Thresholds },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#monitor = parts.monitor;
    this.#outage = parts.outage;
    this.#thresholds = parts.thresholds;
  }

  /** The newest server first. */
  overview(records: readonly ServerRecord[]): WireOverview {
    const readAt = this.#now();
    const servers = records
      .toSorted((one, other) => other.enrolledAt - one.enrolledAt)
      .flatMap((record) => this.#viewOrNone(record, readAt));
    // Without a server there may be no tables.
    const zone = records.length > 0 ? this.#zone() : {};
    const clusters = this.#clusters(records);
    return { readAt, servers, ...zone, ...(clusters.length > 0 ? { clusters } : {}) };
  }

  #clusters(records: readonly ServerRecord[]): NonNullable<WireOverview["clusters"]> {
    const connected = records.filter(({ retiredAt }) => retiredAt === undefined);
    const ids = new Set(connected.flatMap((record) => clusterIdOf(record) ?? []));
    return [...ids].map((deployment) => {
      const incident = this.#monitor.summaryOfCluster(deployment);
      return { deployment, incident: incident && withStoredSeverities(incident) };
    });
  }

  /** Those that are connected, each with its figures of now. */
  figures(records: readonly ServerRecord[]): WireFigures {
    const readAt = this.#now();
    const connected = records.filter(({ retiredAt }) => retiredAt === undefined);
    const servers = connected.flatMap((record) => {
      const { cpus, memory, disk, metrics } = record.report ?? {};
      return this.#viewOrNone(record, readAt).map((view) => ({
        ...view,
        capacity: { cpus, memory: memory?.total, disk: disk?.total },
        latest: latestSample(this.#sql, record.id, readAt),
        tracks: {
          published: metrics?.["tracks-published"],
          subscribed: metrics?.["tracks-subscribed"],
        },
      }));
    });
    return { readAt, servers };
  }

  /** `incidents`: those of the server. */
  page(record: ServerRecord, chosen: Range | undefined, incidents: readonly Incident[]): WirePage {
    const readAt = this.#now();
    const range = chosen ?? rangeSince(record.enrolledAt, readAt);
    const { changes } = record;
    const { cpus, memory, disk, node } = record.report ?? {};
    const boot = record.boots.at(-1);
    const thresholds = thresholdsFor(record, this.#thresholds.all);
    return {
      ...this.#view(record, readAt),
      readAt,
      ...this.#zone(),
      changes,
      history: historyOf({ changes, stages: record.report?.stages ?? [], incidents }),
      series: seriesOf(this.#sql, record.id, range, readAt),
      capacity: { cpus, memory: memory?.total, disk: disk?.total },
      ...(thresholds.length > 0 ? { thresholds } : {}),
      ...(record.traffic ? { traffic: record.traffic } : {}),
      ...(boot ? { bootedAt: boot.firstAt } : {}),
      ...(node ? { liveKitSince: node.startedAt } : {}),
      ...(record.isSimulated ? { isSimulated: record.isSimulated } : {}),
      ...(record.outside ? { outside: record.outside } : {}),
    };
  }

  #zone(): { zone?: string } {
    const zone = zoneIn(this.#sql);
    return zone === "UTC" ? {} : { zone };
  }

  /** One that cannot be shown does not hide the others. */
  #viewOrNone(record: ServerRecord, now: number): WireView[] {
    try {
      return [this.#view(record, now)];
    } catch (error) {
      logFailure("A server was not shown", error);
      return [];
    }
  }

  #view(record: ServerRecord, now: number): WireView {
    const incident = this.#monitor.summary(record);
    return toWire(viewOf(record, now, { incident, outage: this.#outage.last }));
  }
}

/** A server as the site's database has it. */
export function savedServer(record: ServerRecord): SavedServer {
  const { id, deployment, name, enrolledAt, retiredAt } = record;
  const saved = { id, deployment, name, enrolledAt };
  return retiredAt === undefined ? saved : { ...saved, retiredAt };
}

/** A server as the site shows it. */
function viewOf(
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
    ...(report?.layout ? { layout: report.layout } : {}),
    ...(report?.role ? { role: report.role, cpus: report.cpus } : {}),
    release: report?.releases?.find((each) => each.name === "livekit")?.version,
    domain: record.domain,
    milestones: record.milestones,
    labels: record.labels,
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
    load: loadOf(record).load,
    day: dayAt(record.day, now),
  };
}
