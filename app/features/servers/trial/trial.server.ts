import type { Monitor } from "../incidents/monitor.server";
import { takeReport } from "../ingest/take-report";
import { saveSample } from "../metrics/metrics-table.server";
import type { ServerRecord } from "../state/server-record";
import { recordIn } from "../state/server-table.server";
import { saveSetting, settingIn } from "../storage/tables.server";
import { seedTrial, type TrialDeployments } from "./seed-trial.server";
import {
  nextStageAt,
  type SimulatedRole,
  type Simulation,
  simulatedReport,
  simulatedRoles,
  usageOf,
} from "./simulated-servers";
import { simulatedSessions } from "./simulated-sessions";

const minuteMs = 60_000;
/** For so long an open page sees simulated servers report by itself; later they report when a page is read. */
const livelyMs = 30 * minuteMs;
const togetherMs = minuteMs / 2;
/** The page that shows the fleet is not open yet when it begins. */
const openingMs = minuteMs;

/** A trial of the console, whose servers are simulated. Times are in milliseconds since 1970. */
type StoredTrial = {
  begunAt: number;
  endsAt: number;
  servers: Record<SimulatedRole, string>;
  /** Whether the healthy server's History has its sessions. */
  hasSessions?: true;
};

const setting = "trial";

/**
 * The trial of a fleet, if it is one: its servers report by a script, through the code that takes the reports of machines. Nothing of it
 * leaves: the alarm of such a fleet probes nothing, sends nothing, and rings no more once it was open for half an hour,
 * until it deletes the fleet when the trial ends.
 */
export class Trial {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #monitor: Monitor;
  readonly #hasTables: () => boolean;
  readonly #isWatched: () => boolean;
  /** Null: it is none. Undefined: not read yet. */
  #stored: StoredTrial | null | undefined;

  constructor(
    sql: SqlStorage,
    now: () => number,
    {
      monitor,
      hasTables,
      isWatched,
    }: { monitor: Monitor; hasTables: () => boolean; isWatched: () => boolean },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#monitor = monitor;
    this.#hasTables = hasTables;
    this.#isWatched = isWatched;
  }

  get isOn(): boolean {
    return this.#read() !== null;
  }

  get hasEnded(): boolean {
    const trial = this.#read();
    return trial !== null && this.#now() >= trial.endsAt;
  }

  forget(): void {
    this.#stored = undefined;
  }

  /** Begins it in a fleet without servers; a second call changes nothing. */
  begin(endsAt: number, deployments: TrialDeployments): void {
    if (this.#read()) return;
    const begunAt = this.#now();
    this.#save({ begunAt, endsAt, servers: seedTrial(this.#sql, begunAt, deployments) });
  }

  /**
   * What the healthy server's History is to have, until it is said to have it. That is another object, which costs as much
   * as the fleet: it is filled for whoever opens a page of it.
   */
  missingSessions() {
    const trial = this.#read();
    if (!trial || this.hasEnded || trial.hasSessions) return;
    const sessions = simulatedSessions(usageOf("healthy", trial.begunAt), this.#now());
    return { server: trial.servers.healthy, sessions };
  }

  noteSessions(): void {
    const trial = this.#read();
    if (trial) this.#save({ ...trial, hasSessions: true });
  }

  #save(trial: StoredTrial): void {
    this.#stored = trial;
    saveSetting(this.#sql, setting, trial);
  }

  /** When the fleet's alarm is to ring for it: while it is new for the next report, and at its end. */
  due(): number {
    const trial = this.#read();
    if (!trial) return Number.POSITIVE_INFINITY;
    const now = this.#now();
    const age = now - trial.begunAt;
    const isLively = age < livelyMs && (age < openingMs || this.#isWatched());
    if (!isLively) return trial.endsAt;
    return Math.min(
      trial.endsAt,
      nextStageAt(trial.begunAt, now) ?? Number.POSITIVE_INFINITY,
      ...reporting.map((role) => {
        const at = this.#record(trial, role)?.reportAt;
        return at === undefined ? Number.POSITIVE_INFINITY : at + everyMs(trial, now);
      }),
    );
  }

  /**
   * Takes the reports that are due. A fleet that is a day old is written to seldom, however often its pages are read.
   */
  refresh(): void {
    const trial = this.#read();
    if (!trial || this.hasEnded) return;
    const now = this.#now();
    const connected = reporting.flatMap((role) => {
      const record = this.#record(trial, role);
      if (!record || record.retiredAt !== undefined) return [];
      const simulation = simulationOf(trial, role, record);
      const last = record.reportAt ?? 0;
      const nextAt = nextStageAt(simulation.begunAt, last) ?? Number.POSITIVE_INFINITY;
      const dueAt = Math.min(nextAt, last + everyMs(trial, now));
      return [{ record, simulation, last, isDue: now >= dueAt }];
    });
    // Where one reports, so does the other, unless it just did: one alarm is enough for both.
    const isAnyDue = connected.some(({ isDue }) => isDue);
    for (const { record, simulation, last, isDue } of connected) {
      if (!isDue && !(isAnyDue && now - last >= togetherMs)) continue;
      const taken = this.#monitor.report(record, simulatedReport(record, simulation, now));
      if ("sample" in taken && taken.sample) saveSample(this.#sql, record.id, taken.sample);
    }
  }

  /** What pages show of a server: where its last stored report is some minutes old, as if it had just reported. */
  shown(record: ServerRecord): ServerRecord {
    const trial = this.#read();
    const role = trial && reporting.find((each) => trial.servers[each] === record.id);
    if (!trial || !role || record.retiredAt !== undefined) return record;
    const now = this.#now();
    if (now - (record.reportAt ?? now) < minuteMs) return record;
    const report = simulatedReport(record, simulationOf(trial, role, record), now);
    const taken = takeReport(record, report, now);
    return taken.outcome === "taken" && taken.record ? taken.record : record;
  }

  #record(trial: StoredTrial, role: SimulatedRole): ServerRecord | undefined {
    return recordIn(this.#sql, trial.servers[role]);
  }

  #read(): StoredTrial | null {
    if (!this.#hasTables()) return null;
    this.#stored ??= settingIn<StoredTrial>(this.#sql, setting) ?? null;
    return this.#stored;
  }
}

/** How often a report is stored: each minute at first, and after a day once in 72. */
function everyMs({ begunAt }: StoredTrial, now: number): number {
  return Math.max(minuteMs, (now - begunAt) / 20);
}

/** Those that report. */
const reporting = simulatedRoles.filter((role) => role !== "down");

function simulationOf(
  { begunAt }: StoredTrial,
  role: SimulatedRole,
  { enrolledAt }: ServerRecord,
): Simulation {
  return { role, begunAt: enrolledAt, usage: usageOf(role, begunAt) };
}
