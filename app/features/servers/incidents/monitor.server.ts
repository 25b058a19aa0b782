import {
  type MonitoredServer,
  type Step,
  stepReport,
  stepServer,
} from "~/features/servers/incidents/causes";
import {
  type Acknowledgement,
  acknowledged,
  digested,
  type Incident,
  type IncidentSummary,
  incidentOf,
  snoozed,
  summaryOf,
  unacknowledged,
} from "~/features/servers/incidents/incident";
import { type Notification, repeatDue, stepIncident } from "~/features/servers/incidents/step";
import type { Taken } from "~/features/servers/ingest/take-report";
import {
  clusterIdOf,
  type Report,
  type ServerRecord,
  watchedOf,
} from "~/features/servers/state/server-record";
import { findingsOf, stateOf } from "~/features/servers/state/state";
import { logFailure } from "../log-failure";
import { Clusters } from "../state/clusters.server";
import type { IngestOutage } from "../state/ingest-outage.server";
import { mayBeAnotherNode, probeDomains, probeDue } from "../state/probe.server";
import { connectedIn, recordIn, saveRecord } from "../state/server-table.server";
import type { Threshold } from "../state/threshold";
import {
  incidentIn,
  isLiving,
  listedIncidents,
  livingIncidents,
  moveIncident,
  saveIncident,
} from "./incident-table.server";

/** Incidents whose repeats are due within so long are repeated together. */
const repeatsTogetherMs = 3 * 60_000;

/** Notifies open pages: `isChanged` if the visible state of a server changed, false if only metrics did. */
type NotifyPages = (server: string, isChanged: boolean) => void;

/**
 * The incidents of one fleet's servers. Those to which something may still happen are held in memory, so that a report
 * reads none; a row is written when one changes.
 */
export class Monitor {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;
  readonly #outage: IngestOutage;
  readonly #thresholds: () => readonly Threshold[];
  readonly #enqueue: (incident: Incident, notification: Notification) => void;
  readonly #notifyPages: NotifyPages;
  readonly #clusters: Clusters;
  #living: Map<string, Incident> | undefined;
  readonly #failing = new Set<string>();

  /** `enqueue` takes each notification that is to be sent. */
  constructor(
    sql: SqlStorage,
    env: ServersEnv,
    now: () => number,
    {
      outage,
      thresholds,
      enqueue,
      notifyPages,
    }: {
      outage: IngestOutage;
      thresholds: () => readonly Threshold[];
      enqueue: (incident: Incident, notification: Notification) => void;
      notifyPages: NotifyPages;
    },
  ) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
    this.#outage = outage;
    this.#thresholds = thresholds;
    this.#enqueue = enqueue;
    this.#notifyPages = notifyPages;
    this.#clusters = new Clusters(sql);
  }

  /**
   * By the id of its server, or the deployment of its cluster, the newest incident of each that had one lately. It is open, or has closed; a closed
   * one is in it because the same fault within half an hour reopens it, and because notifications may be pending.
   */
  get living(): ReadonlyMap<string, Incident> {
    return this.#incidents();
  }

  /** Forgets what is in memory, where the tables were removed. */
  forget(): void {
    this.#living = undefined;
    this.#clusters.forget();
    this.#failing.clear();
  }

  /** Applies a report to a server and its incident and saves both. The sample is for the caller to save. */
  report(record: ServerRecord, report: Report): Taken {
    const monitored = this.#monitored(record);
    const { taken, step } = stepReport(monitored, report, this.#now(), this.#surroundings());
    if (step) {
      this.#save(monitored, step);
      if (watchedOf(step.record) !== watchedOf(record)) this.#regroup(record, step.record);
      this.#notifyPages(record.id, isVisiblyChanged(record, step.record, this.#now()));
    }
    return taken;
  }

  #monitored(record: ServerRecord): MonitoredServer {
    const others = this.#clusters.others(record);
    return { record, incident: this.#incidents().get(watchedOf(record)), others };
  }

  /**
   * A server that is in a cluster now, or no more: its incident goes on there where nobody else has it. Else it ends there
   * and what is wrong is in the other one.
   */
  #regroup(former: ServerRecord, latter: ServerRecord): void {
    const [from, to] = [watchedOf(former), watchedOf(latter)];
    this.#clusters.add(latter);
    const [other] = this.#clusters.others(former);
    const incident = this.#incidents().get(from);
    if (other) this.#check(other);
    else if (incident && isLiving(incident, this.#now())) {
      if (this.#incidents().has(to)) this.#end(incident);
      else this.#move(incident, latter);
    }
    this.#check(latter);
  }

  #move({ isCluster: _, ...incident }: Incident, record: ServerRecord): void {
    this.#incidents().delete(incident.server);
    const isCluster = clusterIdOf(record) === undefined ? {} : { isCluster: true as const };
    const moved = { ...incident, server: watchedOf(record), ...isCluster };
    moveIncident(this.#sql, moved);
    this.#incidents().set(moved.server, moved);
  }

  #end(incident: Incident): void {
    const { server } = incident;
    const options = { ...this.#surroundings(), server, over: "moved" as const };
    const { incident: ended, notifications } = stepIncident(incident, [], this.#now(), options);
    if (!ended || ended === incident) return;
    this.#saveIncident(ended);
    for (const each of notifications) this.#enqueue(ended, each);
  }

  /** Saves a newer record of a server, and checks what follows for its incident. */
  check(record: ServerRecord): void {
    saveRecord(this.#sql, record);
    this.#check(record);
  }

  /**
   * Checks all servers. First it reports to the judge of ingest outages; then silent servers are probed at their domains. One
   * server whose check fails does not stop the others.
   */
  async checkAll(): Promise<void> {
    this.#forgetClosed();
    await this.#outage.report(this.withoutFailing(this.monitored()), this.#now());
    this.#checkEach(this.monitored());
    const silent = connectedIn(this.#sql).filter((each) => this.#isProbeDue(each));
    if (silent.length === 0) return;
    const domains = new Set(silent.map(({ domain = "" }) => domain));
    const probes = await probeDomains(this.#env, domains);
    const at = this.#now();
    // A report may have ended the silence meanwhile.
    const records = connectedIn(this.#sql);
    const answered = records.flatMap((record) => {
      const { silence, domain = "" } = record;
      const answer = probes.get(domain);
      if (!silence || answer === undefined) return [];
      const answers = answer.answers && !mayBeAnotherNode(record, records);
      const probe = { at, answers, isCertain: answer.isCertain };
      return [{ ...record, silence: { ...silence, probe } }];
    });
    for (const record of answered) saveRecord(this.#sql, record);
    this.#checkEach(answered);
  }

  /** The servers that are connected, and disconnected ones with a pending notification. */
  monitored(): ServerRecord[] {
    const pending = [...this.#incidents().values()].filter(({ pendingCount }) => pendingCount > 0);
    return connectedIn(
      this.#sql,
      pending.flatMap((incident) => this.#serversOf(incident)),
    );
  }

  #forgetClosed(): void {
    const now = this.#now();
    for (const [server, incident] of this.#incidents()) {
      if (!isLiving(incident, now)) this.#incidents().delete(server);
    }
  }

  #isProbeDue(record: ServerRecord): boolean {
    return probeDue(record, this.#now()) <= this.#now();
  }

  /**
   * These servers but for those whose last check threw an error. Such a check changes nothing in the server's record, so the
   * record would be due at once, again and again, and each would count the server among those that have just
   * fallen silent. A later check of all servers tries them again.
   */
  withoutFailing(records: readonly ServerRecord[]): ServerRecord[] {
    return records.filter(({ id }) => !this.#failing.has(id));
  }

  #checkEach(records: readonly ServerRecord[]): void {
    const repeatsBy = this.#repeatsBy();
    for (const record of records) {
      try {
        this.#check(record, repeatsBy);
        this.#failing.delete(record.id);
      } catch (error) {
        this.#failing.add(record.id);
        logFailure("A server was not looked at", error);
      }
    }
  }

  #check(record: ServerRecord, repeatsBy?: number): void {
    const monitored = this.#monitored(record);
    const surroundings = { ...this.#surroundings(), repeatsBy };
    this.#save(monitored, stepServer(monitored, this.#now(), surroundings));
  }

  /** Where one incident is repeated, those that are due soon are repeated too. */
  #repeatsBy(): number {
    const now = this.#now();
    const dues = [...this.#incidents().values()].map((incident) => repeatDue(incident) ?? now + 1);
    return Math.min(...dues) <= now ? now + repeatsTogetherMs : now;
  }

  /** Of a server in a cluster what is wrong with it alone. */
  summary(record: ServerRecord): IncidentSummary | undefined {
    const incident = this.#incidents().get(watchedOf(record));
    const its = incident && incidentOf(incident, record.id);
    return its && its.closedAt === undefined ? summaryOf(its) : undefined;
  }

  /** The open incident of a cluster whole. */
  summaryOfCluster(cluster: string): IncidentSummary | undefined {
    const incident = this.#incidents().get(cluster);
    return incident && incident.closedAt === undefined ? summaryOf(incident) : undefined;
  }

  /** Those of a server, and what was wrong with it in those of its cluster. */
  list(record: ServerRecord): Incident[] {
    const { id } = record;
    const cluster = clusterIdOf(record);
    const ofCluster = cluster === undefined ? [] : listedIncidents(this.#sql, cluster);
    return [
      ...listedIncidents(this.#sql, id),
      ...ofCluster.flatMap((each) => incidentOf(each, id) ?? []),
    ].sort((one, other) => other.openedAt - one.openedAt);
  }

  /** Whether there is such an incident and it is open. Whoever would call on is notified. `link`: the mark of the link that did it. */
  acknowledge(id: string, by: Acknowledgement, link?: string): boolean {
    return this.#change(id, (incident) => acknowledged(incident, by), link);
  }

  /** Takes an acknowledgement back. Whether there is such an incident and it is open. */
  unacknowledge(id: string): boolean {
    return this.#change(id, unacknowledged);
  }

  /** Whether there is such an incident and it is open. */
  snooze(id: string, until: number, link?: string): boolean {
    return this.#change(id, (incident) => snoozed(incident, until), link);
  }

  /** Of a server, or of all of a cluster. Whether there is such a one. `until` null ends its maintenance. */
  setMaintenance(watched: string, until: number | null): boolean {
    const servers = this.#clusters.ids(watched);
    if (servers.length === 0) return this.#setMaintenance(watched, until);
    return servers.filter((each) => this.#setMaintenance(each, until)).length > 0;
  }

  #setMaintenance(server: string, until: number | null): boolean {
    const record = recordIn(this.#sql, server);
    if (!record || record.retiredAt !== undefined) return false;
    const { maintenanceUntil: _, ...rest } = record;
    const changed = until === null ? rest : { ...rest, maintenanceUntil: until };
    this.check(changed);
    this.#notifyPages(server, true);
    return true;
  }

  incident(id: string): Incident | undefined {
    return incidentIn(this.#sql, id);
  }

  /** A channel was notified of an incident, by a page or of its end. */
  recordNotified(id: string, channel: string, pages: boolean): void {
    const incident = this.incident(id);
    if (!incident || incident.notifiedChannels?.[channel] === pages) return;
    this.#saveIncident({
      ...incident,
      notifiedChannels: { ...incident.notifiedChannels, [channel]: pages },
    });
  }

  /** An incident was put into a digest. */
  digest(incident: Incident): void {
    this.#saveIncident(digested(incident));
  }

  #change(id: string, change: (incident: Incident) => Incident, link?: string): boolean {
    const incident = this.incident(id);
    if (!incident || incident.closedAt !== undefined) return false;
    const changed = change(incident);
    const { usedLinks = [] } = incident;
    if (link) this.#saveIncident({ ...changed, usedLinks: [...usedLinks, link] });
    else if (changed !== incident) this.#saveIncident(changed);
    if (changed.acknowledged && !incident.acknowledged) {
      this.#enqueue(changed, { event: "acknowledged" });
    }
    return true;
  }

  #save(former: MonitoredServer, { record, incident, notifications }: Step): void {
    if (record !== former.record) saveRecord(this.#sql, record);
    if (!incident || incident === former.incident) return;
    this.#saveIncident(incident);
    for (const each of notifications) this.#enqueue(incident, each);
  }

  #saveIncident(incident: Incident): void {
    saveIncident(this.#sql, incident);
    const newest = this.#incidents().get(incident.server);
    if (newest && newest.openedAt > incident.openedAt) return;
    this.#incidents().set(incident.server, incident);
    for (const each of this.#serversOf(incident)) this.#notifyPages(each, true);
  }

  #serversOf({ server, isCluster }: Incident): string[] {
    return isCluster ? this.#clusters.ids(server) : [server];
  }

  #surroundings() {
    return {
      outage: this.#outage.last,
      thresholds: this.#thresholds(),
      newId: () => crypto.randomUUID(),
    };
  }

  #incidents(): Map<string, Incident> {
    this.#living ??= new Map(
      livingIncidents(this.#sql, this.#now()).map((incident) => [incident.server, incident]),
    );
    return this.#living;
  }
}

/** Whether the visible state of a server changed, and not only its metrics. */
function isVisiblyChanged(former: ServerRecord, latter: ServerRecord, now: number): boolean {
  const visible = (record: ServerRecord) =>
    JSON.stringify([
      stateOf(record, now),
      record.request,
      findingsOf(record),
      record.report?.stages,
    ]);
  return visible(former) !== visible(latter);
}
