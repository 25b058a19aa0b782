import { atTime, isOpen, type Rollout } from "./rollout";

const retentionMs = 90 * 86_400_000;
const dayMs = 86_400_000;
/** So many that have ended are shown, and so many are stored. */
const maxListed = 200;
const maxEnded = 10_000;

/** The rows of a fleet's rollouts. Those that are open are found by themselves, however many have ended since. */
export class RolloutTable {
  readonly #sql: SqlStorage;
  readonly #now: () => number;

  constructor(sql: SqlStorage, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  get(id: string): Rollout | undefined {
    const [row] = this.#read("where id = ?", id);
    return row;
  }

  /** Newest first. One that ended by the clock alone is stored so. */
  open(): Rollout[] {
    const found = this.#read("where ended is null order by requested desc, id");
    for (const each of found) if (!isOpen(each)) this.save(each);
    return found.filter(isOpen);
  }

  /** Every open one, and the newest of the others, newest first. */
  list(): Rollout[] {
    const ended = `where ended is not null order by requested desc, id limit ${maxListed}`;
    return [...this.open(), ...this.#read(ended)].toSorted(
      (one, other) => other.requestedAt - one.requestedAt,
    );
  }

  /** Of the last 24 hours. */
  ofToday(): Rollout[] {
    return this.#read("where requested > ?", this.#now() - dayMs);
  }

  /** What only an open one needs is not stored of one that has ended. */
  save(rollout: Rollout): void {
    const { inputs: _, manifest: __, ...rest } = rollout;
    const isOngoing = isOpen(rollout);
    this.#sql.exec(
      `insert into rollouts (id, requested, ended, record) values (?, ?, ?, ?)
       on conflict do update set ended = excluded.ended, record = excluded.record`,
      ...[rollout.id, rollout.requestedAt, isOngoing ? null : this.#now()],
      JSON.stringify(isOngoing ? rollout : rest),
    );
  }

  removeOld(): void {
    this.#sql.exec("delete from rollouts where requested < ?", this.#now() - retentionMs);
    this.#sql.exec(
      `delete from rollouts where ended is not null and id in (
         select id from rollouts where ended is not null
         order by requested desc, id limit -1 offset ${maxEnded}
       )`,
    );
  }

  /** Only this Worker writes them. */
  #read(which: string, ...values: (string | number)[]): Rollout[] {
    const query = `select record from rollouts ${which}`;
    const rows = this.#sql.exec<{ record: string }>(query, ...values);
    return [...rows].map(({ record }) => atTime(JSON.parse(record) as Rollout, this.#now()));
  }
}
