import {
  type Step,
  stepReport,
  stepServer,
  type Watched,
} from "~/features/servers/incidents/causes";
import {
  acknowledged,
  digested,
  type Incident,
  type IncidentSummary,
  snoozed,
  summaryOf,
} from "~/features/servers/incidents/incident";
import type { Told } from "~/features/servers/incidents/step";
import type { Taken } from "~/features/servers/ingest/take-report";
import type { Report, ServerRecord } from "~/features/servers/state/server-record";
import { isOurFault, stateOf } from "~/features/servers/state/state";
import { logFailure } from "../log-failure";
import type { OurOutage } from "../state/ingest-outage.server";
import { askDomains, mayBeOfAnother, probeDue } from "../state/probe.server";
import { connectedIn, keepRecord, recordIn } from "../state/server-table.server";
import {
  incidentIn,
  isLiving,
  keepIncident,
  listedIncidents,
  livingIncidents,
} from "./incident-table.server";

/** Nudges open pages of a server: people see another one, or it has newer figures alone. */
type Nudge = (server: string, isChanged: boolean) => void;

/**
 * The incidents of one fleet's servers. Those to which something may still happen are held in memory, so that a report
 * reads none; a row is written when one changes.
 */
export class Watch {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;
  readonly #outage: OurOutage;
  readonly #tell: (incident: Incident, told: Told) => void;
  readonly #nudge: Nudge;
  #living: Map<string, Incident> | undefined;
  readonly #failing = new Set<string>();

  /** `tell` takes what people are to be told of an incident. */
  constructor(
    sql: SqlStorage,
    env: ServersEnv,
    now: () => number,
    {
      outage,
      tell,
      nudge,
    }: { outage: OurOutage; tell: (incident: Incident, told: Told) => void; nudge: Nudge },
  ) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
    this.#outage = outage;
    this.#tell = tell;
    this.#nudge = nudge;
  }

  /**
   * By the id of its server, the newest incident of each server that had one lately. It is open, or has closed; a closed
   * one is kept because the same fault within half an hour opens it again, and because people may still have to be told.
   */
  get living(): ReadonlyMap<string, Incident> {
    return this.#incidents();
  }

  /** Forgets what is in memory, where the tables were removed. */
  forget(): void {
    this.#living = undefined;
    this.#failing.clear();
  }

  /** What a report does to a server and to its incident, all of which is kept but the sample. */
  report(record: ServerRecord, report: Report): Taken {
    const watched = { record, incident: this.#incidents().get(record.id) };
    const { taken, step } = stepReport(watched, report, this.#now(), this.#surroundings());
    if (step) {
      this.#keep(watched, step);
      this.#nudge(record.id, looksOther(record, step.record, this.#now()));
    }
    return taken;
  }

  /** What has become of a server, of which `record` is newer than what is kept. */
  look(record: ServerRecord): void {
    keepRecord(this.#sql, record);
    this.#look(record);
  }

  /**
   * What has become of all servers. Whether a silence is our fault is asked first; then silent servers are asked
   * themselves, at their domains. One server whose turn fails does not stop the others.
   */
  async lookAtAll(): Promise<void> {
    this.#forgetClosed();
    await this.#outage.tell(this.withoutFailing(this.watched()), this.#now());
    this.#lookAtEach(this.watched());
    const asked = connectedIn(this.#sql).filter((each) => this.#isToBeAsked(each));
    if (asked.length === 0) return;
    const domains = new Set(asked.map(({ domain = "" }) => domain));
    const answers = await askDomains(this.#env, domains);
    const at = this.#now();
    // A report may have ended the silence meanwhile.
    const records = connectedIn(this.#sql);
    const answered = records.flatMap((record) => {
      const { silence, domain = "" } = record;
      const answer = answers.get(domain);
      if (!silence || answer === undefined) return [];
      const probe = { at, answers: answer && !mayBeOfAnother(record, records) };
      return [{ ...record, silence: { ...silence, probe } }];
    });
    for (const record of answered) keepRecord(this.#sql, record);
    this.#lookAtEach(answered);
  }

  /** The servers that are connected, and those that are gone and of which something is still to be said. */
  watched(): ServerRecord[] {
    const unsaid = [...this.#incidents().values()].filter(({ untold }) => untold > 0);
    return connectedIn(
      this.#sql,
      unsaid.map(({ server }) => server),
    );
  }

  #forgetClosed(): void {
    const now = this.#now();
    for (const [server, incident] of this.#incidents()) {
      if (!isLiving(incident, now)) this.#incidents().delete(server);
    }
  }

  #isToBeAsked(record: ServerRecord): boolean {
    const now = this.#now();
    return !isOurFault(record, now, this.#outage.last) && probeDue(record, now) <= now;
  }

  /**
   * These servers but for those at which the last look threw an error. Such a look changes nothing in the server's record,
   * so the record would ask for the next look at once, again and again, and each look would count the server among those
   * that have just fallen silent. A later look at all servers tries them again.
   */
  withoutFailing(records: readonly ServerRecord[]): ServerRecord[] {
    return records.filter(({ id }) => !this.#failing.has(id));
  }

  #lookAtEach(records: readonly ServerRecord[]): void {
    for (const record of records) {
      try {
        this.#look(record);
        this.#failing.delete(record.id);
      } catch (error) {
        this.#failing.add(record.id);
        logFailure("A server was not looked at", error);
      }
    }
  }

  #look(record: ServerRecord): void {
    const watched = { record, incident: this.#incidents().get(record.id) };
    this.#keep(watched, stepServer(watched, this.#now(), this.#surroundings()));
  }

  summary(server: string): IncidentSummary | undefined {
    const incident = this.#incidents().get(server);
    return incident && incident.closedAt === undefined ? summaryOf(incident) : undefined;
  }

  list(server: string): Incident[] {
    return listedIncidents(this.#sql, server);
  }

  /** Whether there is such an incident and it is open. */
  acknowledge(id: string, person: string): boolean {
    return this.#change(id, (incident) => acknowledged(incident, person, this.#now()));
  }

  /** Whether there is such an incident and it is open. */
  snooze(id: string, until: number): boolean {
    return this.#change(id, (incident) => snoozed(incident, until));
  }

  /** Whether there is such a server. `until` null ends its maintenance. */
  setMaintenance(server: string, until: number | null): boolean {
    const record = recordIn(this.#sql, server);
    if (!record) return false;
    const { maintenanceUntil: _, ...rest } = record;
    const changed = until === null ? rest : { ...rest, maintenanceUntil: until };
    this.look(changed);
    this.#nudge(server, true);
    return true;
  }

  incident(id: string): Incident | undefined {
    return incidentIn(this.#sql, id);
  }

  /** A channel was told of an incident, and whether it pages. */
  hear(id: string, channel: string, pages: boolean): void {
    const incident = this.incident(id);
    if (!incident || incident.heard?.[channel] === pages) return;
    this.#keepIncident({ ...incident, heard: { ...incident.heard, [channel]: pages } });
  }

  /** An incident was put into a digest. */
  digest(incident: Incident): void {
    this.#keepIncident(digested(incident));
  }

  #change(id: string, change: (incident: Incident) => Incident): boolean {
    const incident = this.incident(id);
    if (!incident || incident.closedAt !== undefined) return false;
    this.#keepIncident(change(incident));
    return true;
  }

  #keep(former: Watched, { record, incident, told }: Step): void {
    if (record !== former.record) keepRecord(this.#sql, record);
    if (!incident || incident === former.incident) return;
    this.#keepIncident(incident);
    for (const each of told) this.#tell(incident, each);
  }

  #keepIncident(incident: Incident): void {
    keepIncident(this.#sql, incident);
    const newest = this.#incidents().get(incident.server);
    if (newest && newest.openedAt > incident.openedAt) return;
    this.#incidents().set(incident.server, incident);
    this.#nudge(incident.server, true);
  }

  #surroundings() {
    return { outage: this.#outage.last, newId: () => crypto.randomUUID() };
  }

  #incidents(): Map<string, Incident> {
    this.#living ??= new Map(
      livingIncidents(this.#sql, this.#now()).map((incident) => [incident.server, incident]),
    );
    return this.#living;
  }
}

/** Whether people see another server than before, and not only newer figures of it. */
function looksOther(former: ServerRecord, latter: ServerRecord, now: number): boolean {
  const shown = (record: ServerRecord) =>
    JSON.stringify([
      stateOf(record, now),
      record.request,
      record.report?.findings,
      record.report?.stages,
    ]);
  return shown(former) !== shown(latter);
}
