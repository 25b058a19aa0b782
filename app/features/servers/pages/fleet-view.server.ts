import type { IncidentSummary } from "~/features/servers/incidents/incident";
import { dayAt } from "~/features/servers/metrics/day-line";
import type { Range } from "~/features/servers/metrics/series";
import type { FleetOverview, ServerPage, ServerView } from "~/features/servers/pages/server-view";
import type { KnownServer, ServerRecord } from "~/features/servers/state/server-record";
import { findingsOf, isExcused, type Outage, stateOf } from "~/features/servers/state/state";
import type { Watch } from "../incidents/watch.server";
import { logFailure } from "../log-failure";
import { seriesOf } from "../metrics/metrics-table.server";
import type { OurOutage } from "../state/ingest-outage.server";

/** What the site shows of servers. */
export class Views {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #watch: Watch;
  readonly #outage: OurOutage;

  constructor(sql: SqlStorage, now: () => number, watch: Watch, outage: OurOutage) {
    this.#sql = sql;
    this.#now = now;
    this.#watch = watch;
    this.#outage = outage;
  }

  /** The newest server first. */
  overview(records: readonly ServerRecord[]): FleetOverview {
    const readAt = this.#now();
    const servers = records
      .toSorted((one, other) => other.enrolledAt - one.enrolledAt)
      .flatMap((record) => this.#viewOrNone(record, readAt));
    return { readAt, servers };
  }

  page(record: ServerRecord, range: Range): ServerPage {
    const readAt = this.#now();
    const { cpus, memory, disk } = record.report ?? {};
    return {
      ...this.#view(record, readAt),
      readAt,
      changes: record.changes,
      series: seriesOf(this.#sql, record.id, range, readAt),
      capacity: { cpus, memory: memory?.total, disk: disk?.total },
    };
  }

  /** One that cannot be shown does not hide the others. */
  #viewOrNone(record: ServerRecord, now: number): ServerView[] {
    try {
      return [this.#view(record, now)];
    } catch (error) {
      logFailure("A server was not shown", error);
      return [];
    }
  }

  #view(record: ServerRecord, now: number): ServerView {
    const incident = this.#watch.summary(record.id);
    return viewOf(record, now, { incident, outage: this.#outage.last });
  }
}

/** What the site's own database knows of a server. */
export function knownOf(record: ServerRecord): KnownServer {
  const { id, deployment, name, enrolledAt, retiredAt } = record;
  const known = { id, deployment, name, enrolledAt };
  return retiredAt === undefined ? known : { ...known, retiredAt };
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
