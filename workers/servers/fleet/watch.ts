import type { Report } from "~/features/servers/fleet/report";
import type { ServerRecord } from "~/features/servers/fleet/server-record";
import type { IncidentSummary } from "~/features/servers/fleet/server-view";
import { stateOf } from "~/features/servers/fleet/state";
import type { Taken } from "~/features/servers/fleet/take-report";
import { acknowledged, snoozed, summaryOf } from "~/features/servers/incidents/handling";
import type { Incident } from "~/features/servers/incidents/incident";
import { type Step, stepReport, stepServer } from "~/features/servers/incidents/server-step";
import { incidentIn, keepIncident, listedIncidents, livingIncidents } from "./incidents-table";
import { keepRecord, recordIn } from "./server-table";

/** Tells open pages of a server: that people see another one, or that it has newer figures alone. */
type Tell = (server: string, isChanged: boolean) => void;

/**
 * The incidents of one fleet's servers. Those to which something may still happen are held in memory, so that a report
 * reads none; a row is written when one changes.
 */
export class Watch {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #tell: Tell;
  #living: Map<string, Incident> | undefined;

  constructor(sql: SqlStorage, now: () => number, tell: Tell) {
    this.#sql = sql;
    this.#now = now;
    this.#tell = tell;
  }

  /** Forgets what is in memory, where the tables were removed. */
  forget(): void {
    this.#living = undefined;
  }

  /** What a report does to a server and to its incident, all of which is kept but the sample. */
  report(record: ServerRecord, report: Report): Taken {
    const watched = { record, incident: this.#incidents().get(record.id) };
    const { taken, step } = stepReport(watched, report, this.#now(), this.#surroundings());
    if (step) {
      this.#keep(watched.incident, step);
      this.#tell(record.id, looksOther(record, step.record, this.#now()));
    }
    return taken;
  }

  /** What has become of a server, of which `record` is newer than what is kept. */
  look(record: ServerRecord): void {
    const incident = this.#incidents().get(record.id);
    this.#keep(incident, stepServer({ record, incident }, this.#now(), this.#surroundings()));
  }

  summary(server: string): IncidentSummary | undefined {
    const incident = this.#incidents().get(server);
    return incident && incident.closedAt === undefined ? summaryOf(incident) : undefined;
  }

  list(server: string | undefined): Incident[] {
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
    keepRecord(this.#sql, changed);
    this.look(changed);
    return true;
  }

  #change(id: string, change: (incident: Incident) => Incident): boolean {
    const incident = incidentIn(this.#sql, id);
    if (!incident || incident.closedAt !== undefined) return false;
    this.#keepIncident(change(incident));
    return true;
  }

  #keep(former: Incident | undefined, { record, incident }: Step): void {
    keepRecord(this.#sql, record);
    if (incident && incident !== former) this.#keepIncident(incident);
  }

  #keepIncident(incident: Incident): void {
    keepIncident(this.#sql, incident);
    this.#incidents().set(incident.server, incident);
    this.#tell(incident.server, true);
  }

  #surroundings() {
    return { newId: () => crypto.randomUUID() };
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
