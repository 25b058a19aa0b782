import {
  type MonitoredServer,
  type Step,
  stepReport,
  stepServer,
} from "~/features/servers/incidents/causes.ts";
import type { Incident } from "~/features/servers/incidents/incident.ts";
import type { Notification } from "~/features/servers/incidents/step.ts";
import type { Report } from "~/features/servers/state/server-record.ts";
import { stateOf } from "~/features/servers/state/state.ts";
import { type Arrival, findingCodes } from "./planned-day.ts";
import { machine } from "./report-lines.ts";

const minute = 60_000;

/** A server that the pure step follows, minute by minute, as a fleet does. */
export class WatchedServer {
  monitored: MonitoredServer;
  readonly incidents = new Map<string, Incident>();
  /** What was sent of each incident. */
  readonly sent = new Map<string, Notification["event"][]>();
  readonly #begin: number;
  #made = 0;

  constructor(begin: number) {
    this.#begin = begin;
    const record = {
      ...{ id: "server", deployment: "deployment", name: "sfu-1", enrolledAt: begin },
      ...{ keyHash: "", machine: machine.machine, instance: machine.instance },
      ...{ refused: [], boots: [], bucket: { left: 10, at: begin }, changes: [] },
    };
    this.monitored = { record };
  }

  /** A minute of the day: what arrives, and otherwise a look at the server where that may change anything. */
  at(minutes: number, arrivals: readonly Arrival[]): void {
    const now = this.#begin + minutes * minute;
    const surroundings = { newId: () => this.#newId() };
    for (const arrival of arrivals) {
      const { step } = stepReport(this.monitored, reportOf(arrival), now, surroundings);
      if (step) this.#keep(step);
    }
    const { incident } = this.monitored;
    const isQuiet = arrivals.length > 0 && (!incident || incident.closedAt !== undefined);
    if (!isQuiet || incident?.pendingCount)
      this.#keep(stepServer(this.monitored, now, surroundings));
  }

  stateAt(minutes: number): string {
    return stateOf(this.monitored.record, this.#begin + minutes * minute).code;
  }

  #keep({ record, incident, notifications }: Step): void {
    this.monitored = { record, incident };
    if (!incident) return;
    this.incidents.set(incident.id, incident);
    const events = notifications.map(({ event }) => event);
    if (events.length > 0) {
      this.sent.set(incident.id, [...(this.sent.get(incident.id) ?? []), ...events]);
    }
  }

  #newId(): string {
    this.#made += 1;
    return `incident-${this.#made}`;
  }
}

const none: never[] = [];
const metrics = { participants: 3, rooms: 1 };
const findings = {
  critical: [{ code: findingCodes.critical, severity: "critical" as const }],
  warning: [{ code: findingCodes.warning, severity: "warning" as const }],
};

function reportOf({ seq, boot, at, finding, going }: Arrival): Report {
  const found = finding ? findings[finding] : none;
  return {
    ...{ seq, boot, at, machine: machine.machine, instance: machine.instance },
    ...{ version: machine.version, stages: none, services: none, certificates: none },
    ...{ addresses: none, metrics, rebootPending: false, doctorAt: seq },
    findings: found.map((each) => ({ ...each, subject: "", found: "", wanted: "" })),
    ...(going ? { going: "reboot" as const } : {}),
  };
}
