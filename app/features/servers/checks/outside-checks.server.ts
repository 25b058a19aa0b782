import {
  type CheckTarget,
  type OutsideCheck,
  type RungResult,
  withCheck,
} from "~/features/deployments/checks/check";
import { logFailure } from "../log-failure";
import type { ServerRecord } from "../state/server-record";
import { connectedIn, recordIn } from "../state/server-table.server";
import { checkTarget, isChecked, isSameCheck, slotOf } from "./check-schedule";

/** So many servers are checked at one alarm, the others at the next, which comes at once: what else is due comes between. */
const maxOfAlarm = 20;
/** So many checks run at once. */
const maxAtOnce = 4;

type Run = (target: CheckTarget) => Promise<RungResult[]>;

/**
 * The checks of one fleet's servers from outside. What a check came to is written with the server's record where it shows
 * something new; else its time waits in memory, and is written with the server's next report.
 */
export class OutsideChecks {
  readonly #sql: SqlStorage;
  readonly #fleet: string;
  readonly #now: () => number;
  readonly #run: Run;
  readonly #save: (record: ServerRecord) => void;
  /** The newest check of a server, where its row has an older one. */
  readonly #latest = new Map<string, OutsideCheck>();
  /** When servers were tried whose names have not led to them yet. */
  readonly #triedAt = new Map<string, number>();
  /** Undefined until the first alarm after a start. */
  #nextAt: number | undefined;

  /** `run` is one check, in an invocation of its own; `save` writes a record and checks what follows for its incident. */
  constructor(
    sql: SqlStorage,
    now: () => number,
    { fleet, run, save }: { fleet: string; run: Run; save: (record: ServerRecord) => void },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#fleet = fleet;
    this.#run = run;
    this.#save = save;
  }

  forget(): void {
    this.#latest.clear();
    this.#triedAt.clear();
    this.#nextAt = undefined;
  }

  /** Infinite where no server is checked. While servers report there is an alarm every three minutes, which finds new ones. */
  due(): number {
    return this.#nextAt ?? Number.POSITIVE_INFINITY;
  }

  /** Checks the servers that were not checked in these five minutes. One whose check fails does not stop the others. */
  async runDue(): Promise<void> {
    const now = this.#now();
    if (Number.isFinite(this.due()) && now < this.due()) return;
    const slot = slotOf(this.#fleet, now);
    const servers = connectedIn(this.#sql).filter((record) => isChecked(record, now));
    const waiting = servers.filter((record) => this.#slotOfLast(record) < slot.number);
    const batch = waiting.slice(0, maxOfAlarm);
    this.#nextAt =
      servers.length === 0
        ? Number.POSITIVE_INFINITY
        : waiting.length > batch.length
          ? now
          : slot.ends;
    for (let first = 0; first < batch.length; first += maxAtOnce) {
      await Promise.all(batch.slice(first, first + maxAtOnce).map((record) => this.#check(record)));
    }
  }

  #slotOfLast(record: ServerRecord): number {
    const at = Math.max(this.shown(record).outside?.at ?? 0, this.#triedAt.get(record.id) ?? 0);
    return slotOf(this.#fleet, at).number;
  }

  async #check(record: ServerRecord): Promise<void> {
    this.#triedAt.set(record.id, this.#now());
    const target = checkTarget(record);
    if (!target) return;
    try {
      this.take(record.id, await this.#run(target), true);
    } catch (error) {
      logFailure("A server was not checked from outside", error);
    }
  }

  /** Notes what a check came to. The first ones of a server that nobody asked for are noted once its name leads to it. */
  take(server: string, results: readonly RungResult[], isScheduled: boolean): void {
    const stored = recordIn(this.#sql, server);
    if (!stored || stored.retiredAt !== undefined) return;
    const { outside: former } = this.shown(stored);
    const latter = withCheck(former, results, this.#now(), isScheduled);
    if (isScheduled && !latter.isScheduled) return;
    if (isScheduled && isSameCheck(former, latter)) this.#latest.set(server, latter);
    else {
      this.#latest.delete(server);
      this.#save({ ...stored, outside: latter });
    }
  }

  /** A server with its newest check. */
  shown(record: ServerRecord): ServerRecord {
    const latest = this.#latest.get(record.id);
    return latest && latest.at > (record.outside?.at ?? 0)
      ? { ...record, outside: latest }
      : record;
  }
}
