import { DurableObject } from "cloudflare:workers";
import {
  type Fall,
  type JudgedOutage,
  judgeOutage,
  type SilenceCounts,
  windowMs,
} from "~/features/servers/state/ingest-outage.server";
import type { Outage } from "~/features/servers/state/state";

const tables = `
  create table if not exists fleets (
    fleet text primary key, servers integer not null, silent integer not null
  ) without rowid;
  create table if not exists owners (
    fleet text primary key, owner text not null
  ) without rowid;
  create table if not exists falls (
    fleet text, at integer, count integer not null, primary key (fleet, at)
  ) without rowid;
  create table if not exists judged (name text primary key, outage text not null) without rowid;`;

/** Falls are stored for so long: longer than they count, because the clocks of fleets differ. */
const retentionMs = 15 * 60_000;

/**
 * Judges whether an ingest outage began or ended: reports that do not arrive through our own fault. One object for all fleets, since no other sees more than
 * one workspace. Times are those of the fleets.
 */
export class Outages extends DurableObject<ServersEnv> {
  readonly #sql: SqlStorage;
  /** What the fleets of each owner have together. A fleet whose owner is not known is an owner of its own. */
  readonly #owners = new Map<string, { servers: number; silent: number }>();
  #judged: JudgedOutage | undefined;

  constructor(ctx: DurableObjectState, env: ServersEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(tables);
    const rows = this.#sql.exec<{ owner: string; servers: number; silent: number }>(
      `select coalesce(owner, fleet) as owner, sum(servers) as servers, sum(silent) as silent
       from fleets left join owners using (fleet) group by 1`,
    );
    for (const { owner, servers, silent } of rows) this.#owners.set(owner, { servers, silent });
    const [row] = this.#sql.exec<{ outage: string }>("select outage from judged").toArray();
    // Only this class writes the column.
    this.#judged = row && (JSON.parse(row.outage) as JudgedOutage);
  }

  /** Takes the counts of a fleet, whose owner may be known, and answers the last ingest outage, which lasts where it has no end. */
  tell(
    fleet: string,
    { servers, silent, fell }: SilenceCounts,
    at: number,
    knownOwner?: string,
  ): Outage | undefined {
    const [former] = this.#sql
      .exec<{ servers: number; silent: number; owner: string }>(
        `select servers, silent, coalesce(owner, fleet) as owner
         from fleets left join owners using (fleet) where fleet = ?`,
        fleet,
      )
      .toArray();
    const owner = knownOwner ?? former?.owner ?? fleet;
    if (owner !== (former?.owner ?? fleet)) {
      this.#sql.exec(
        "insert into owners values (?, ?) on conflict do update set owner = excluded.owner",
        ...[fleet, owner],
      );
    }
    if (former) this.#add(former.owner, -former.servers, -former.silent);
    this.#add(owner, servers, silent);
    if (former?.servers !== servers || former.silent !== silent) {
      this.#sql.exec(
        `insert into fleets values (?, ?, ?)
         on conflict do update set servers = excluded.servers, silent = excluded.silent`,
        ...[fleet, servers, silent],
      );
    }
    if (fell > 0) {
      this.#sql.exec("delete from falls where at < ?", at - retentionMs);
      this.#sql.exec(
        "insert into falls values (?, ?, ?) on conflict do update set count = excluded.count",
        ...[fleet, at, fell],
      );
    }
    return this.#judge(at);
  }

  #add(owner: string, servers: number, silent: number): void {
    const former = this.#owners.get(owner) ?? { servers: 0, silent: 0 };
    this.#owners.set(owner, { servers: former.servers + servers, silent: former.silent + silent });
  }

  #falls(now: number): Fall[] {
    return this.#sql
      .exec<Fall>(
        `select coalesce(owner, fleet) as owner, at, count
         from falls left join owners using (fleet) where at > ?`,
        now - windowMs,
      )
      .toArray();
  }

  #judge(at: number): Outage | undefined {
    const judgedBefore = this.#judged;
    // While an outage lasts, all fleets call each minute, and the falls do not matter.
    const lasts = judgedBefore !== undefined && judgedBefore.endedAt === undefined;
    const falls = lasts ? [] : this.#falls(at);
    const judged = judgeOutage(this.#judged, { owners: this.#owners, falls }, at);
    if (judged && judged !== this.#judged) this.#save(judged);
    return judged && outageOf(judged);
  }

  #save(judged: JudgedOutage): void {
    if (judged.since !== this.#judged?.since) {
      logOutage("error", "More than 5 % of all servers fell silent within five minutes", judged);
    } else if (judged.endedAt !== undefined) {
      logOutage("warn", "Servers that fell silent at once have returned", judged);
    }
    this.#judged = judged;
    this.#sql.exec(
      "insert into judged values ('last', ?) on conflict do update set outage = excluded.outage",
      JSON.stringify(judged),
    );
  }
}

function outageOf({ since, endedAt }: JudgedOutage): Outage {
  return { since, ...(endedAt === undefined ? {} : { endedAt }) };
}

/** The line by which the operator is paged: docs/operations.md. */
function logOutage(level: "error" | "warn", message: string, { since, fell }: JudgedOutage): void {
  const line = { level, message, since: new Date(since).toISOString(), fell };
  console[level](JSON.stringify(line));
}
