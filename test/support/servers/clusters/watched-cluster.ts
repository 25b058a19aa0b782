import {
  type MonitoredServer,
  stepReport,
  stepServer,
} from "~/features/servers/incidents/causes.ts";
import type { Incident } from "~/features/servers/incidents/incident.ts";
import type { Notification } from "~/features/servers/incidents/step.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import { begin, minute } from "../incident-step.ts";
import { reportText } from "../report-lines.ts";

/** What a machine says in a minute: lines of its report, or that nothing comes of it and nobody reaches it. */
export type Said = readonly string[] | "gone";

/** A cluster that the pure step follows, minute by minute, as a fleet does. */
export class WatchedCluster {
  incident: Incident | undefined;
  /** What was sent, as the minute and the event. */
  readonly sent: [minute: number, event: Notification["event"]][] = [];
  readonly opened: string[] = [];
  readonly records: ServerRecord[];
  readonly names: readonly string[];
  #seq = 0;

  /** The names of its machines, which begin with their roles: "edge", "media-1". */
  constructor(names: readonly string[]) {
    this.names = names;
    this.records = names.map((name) => ({
      ...{ id: name, deployment: "deployment", name, enrolledAt: begin, keyHash: "" },
      ...{ machine: "a".repeat(64), instance: `i-${name}`, refused: [], boots: [], changes: [] },
      bucket: { left: 10, at: begin },
    }));
  }

  /** A minute: each machine reports, with these lines beside the usual ones, or is gone. */
  at(minutes: number, said: Readonly<Record<string, Said>> = {}): this {
    const now = begin + minutes * minute;
    for (const name of this.names) {
      const what = said[name] ?? [];
      if (what === "gone") this.#look(name, now);
      else this.#report(name, what, now);
    }
    return this;
  }

  during(from: number, until: number, said: Readonly<Record<string, Said>> = {}): this {
    for (let each = from; each < until; each += 1) this.at(each, said);
    return this;
  }

  change(name: string, more: Partial<ServerRecord>): this {
    this.#keep({ ...this.#record(name), ...more });
    return this;
  }

  /** What lasts, as "page media-1: The machine is down". */
  lines(words: (cause: Incident["causes"][number]) => string): string[] {
    const lasting = this.incident?.causes.filter(({ endedAt }) => endedAt === undefined) ?? [];
    return lasting.map((cause) => `${cause.severity} ${words(cause)}`);
  }

  #report(name: string, more: readonly string[], now: number): void {
    this.#seq += 1;
    const [role] = name.split("-");
    const usual = { seq: this.#seq, instance: `i-${name}`, role, cpus: 4, load: "0.2" };
    const [kinds, lines] = [new Set(more.map((line) => line.split("\t")[0])), more];
    const fields = Object.fromEntries(Object.entries(usual).filter(([kind]) => !kinds.has(kind)));
    const read = parseReport(reportText({ ...fields }, [`doctor\t${now / 1_000}`, ...lines]));
    if (!read.ok) throw new Error(`The report has an unreadable line ${read.line}`);
    this.#keep({ ...this.#record(name), bucket: { left: 10, at: now } });
    const { step } = stepReport(this.#monitored(name), read.report, now, this.#surroundings());
    if (!step) throw new Error("The report was not taken");
    const isNew = this.#record(name).report === undefined;
    this.#keep(step.record);
    this.#take(step, now);
    // A fleet looks again where a server has become one of a cluster.
    if (isNew) this.#take(stepServer(this.#monitored(name), now, this.#surroundings()), now);
  }

  #look(name: string, now: number): void {
    const step = stepServer(this.#monitored(name), now, this.#surroundings());
    this.#take(step, now);
    const { silence } = step.record;
    this.#keep(
      silence && !silence.probe
        ? { ...step.record, silence: { ...silence, probe: { at: now, answers: false } } }
        : step.record,
    );
    this.#take(stepServer(this.#monitored(name), now, this.#surroundings()), now);
  }

  #take({ incident, notifications }: ReturnType<typeof stepServer>, now: number): void {
    this.incident = incident;
    for (const { event } of notifications) this.sent.push([(now - begin) / minute, event]);
  }

  #record(name: string): ServerRecord {
    const record = this.records.find((each) => each.name === name);
    if (!record) throw new Error(`There is no ${name}`);
    return record;
  }

  #keep(record: ServerRecord): void {
    this.records[this.records.findIndex(({ id }) => id === record.id)] = record;
  }

  #monitored(name: string): MonitoredServer {
    const others = this.records.filter(
      (each) => each.name !== name && each.report?.role && each.retiredAt === undefined,
    );
    return { record: this.#record(name), incident: this.incident, others };
  }

  #surroundings() {
    const newId = () => {
      const id = `incident-${this.opened.length + 1}`;
      this.opened.push(id);
      return id;
    };
    return { newId };
  }
}
