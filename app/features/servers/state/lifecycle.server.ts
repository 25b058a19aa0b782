import {
  type Change,
  type Machine,
  maxChanges,
  type ServerRecord,
} from "~/features/servers/state/server-record";
import { lastingSuspension, type Suspensions } from "~/features/servers/state/suspension.server";
import { removeFigures, saveLastNumber } from "../metrics/metrics-table.server";
import { connectedIn, recordIn } from "./server-table.server";

const maxRefused = 5;

/**
 * The record without the request of this machine, which has disconnected. Undefined where the request is another
 * machine's, or there is none.
 */
function withdrawn(record: ServerRecord, leaving: Machine): ServerRecord | undefined {
  const { request, ...rest } = record;
  if (request?.machine !== leaving.machine || request?.instance !== leaving.instance) return;
  return request && rest;
}

/** The record after people allowed or refused the request of `requestedAt`. Undefined where the open request is another one. */
export function answerRequest(
  record: ServerRecord,
  { isAllowed, requestedAt }: { isAllowed: boolean; requestedAt: number },
  now: number,
): ServerRecord | undefined {
  const { request, ...rest } = record;
  if (request?.at !== requestedAt) return;
  const { machine, instance } = request;
  const changed = (change: Pick<Change, "code" | "subject" | "from" | "to">) =>
    [{ at: now, ...change }, ...record.changes].slice(0, maxChanges);
  if (!isAllowed) {
    return {
      ...{ ...rest, refused: [...record.refused, { machine, instance }].slice(-maxRefused) },
      changes: changed({ code: "copy", subject: instance, from: "", to: "" }),
    };
  }
  return {
    ...{ ...rest, machine, instance },
    changes: changed({ code: "machine", subject: "", from: record.instance, to: instance }),
  };
}

/** What people decide of servers, and what machines say that take their leave. Each answers whether anything changed. */
export class ServerChanges {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #suspensions: Suspensions;
  readonly #save: (record: ServerRecord) => void;

  constructor(
    sql: SqlStorage,
    now: () => number,
    { suspensions, save }: { suspensions: Suspensions; save: (record: ServerRecord) => void },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#suspensions = suspensions;
    this.#save = save;
  }

  /** This one stays where the plan has room for fewer servers from some day on. Whether it is connected. */
  pick(id: string): boolean {
    const record = recordIn(this.#sql, id);
    if (!record || record.retiredAt !== undefined) return false;
    this.#suspensions.pick(id);
    return true;
  }

  /** Of those that are paused for want of room in the plan, this one stays. */
  keep(id: string): boolean {
    const record = recordIn(this.#sql, id);
    if (!record || record.retiredAt !== undefined) return false;
    if (lastingSuspension(record)?.why !== "plan-limit") return false;
    this.#suspensions.pick(id);
    this.#suspensions.apply();
    return true;
  }

  /** Allows or refuses the request of `requestedAt` for a server's place. False where the open request is another one. */
  answerRequest(id: string, isAllowed: boolean, requestedAt: number): boolean {
    const record = recordIn(this.#sql, id);
    return this.#change(record && answerRequest(record, { isAllowed, requestedAt }, this.#now()));
  }

  /** Replaces a server's labels. */
  label(id: string, labels: readonly string[]): boolean {
    const record = recordIn(this.#sql, id);
    if (!record) return false;
    const { labels: _, ...rest } = record;
    return this.#change(labels.length > 0 ? { ...rest, labels } : rest);
  }

  /** Removes the request of a copy of a server's machine. */
  withdraw(record: ServerRecord, copy: Machine): boolean {
    return this.#change(withdrawn(record, copy));
  }

  /** Ends a server's key. */
  retire(id: string): boolean {
    const record = recordIn(this.#sql, id);
    return record !== undefined && this.#retire([record]);
  }

  /** Ends the keys of the servers of deployments. */
  retireOf(deployments: ReadonlySet<string>): boolean {
    return this.#retire(
      connectedIn(this.#sql).filter(({ deployment }) => deployments.has(deployment ?? "")),
    );
  }

  #retire(records: readonly ServerRecord[]): boolean {
    const connected = records.filter(({ retiredAt }) => retiredAt === undefined);
    if (connected.length === 0) return false;
    const now = this.#now();
    for (const record of connected) this.#change(retired(record, now));
    removeRetired(this.#sql, now);
    this.#suspensions.apply();
    return true;
  }

  #change(record: ServerRecord | undefined): boolean {
    if (!record) return false;
    this.#save(record);
    return true;
  }
}

/** So many of each kind of line stay of what a disconnected server reported. */
const maxLines = 12;

/**
 * The record of a server whose key ends now: who it was, and its last report. Of its lines and changes the first twelve
 * of each kind stay, because workspaces that make servers anew each week keep hundreds of those that are gone.
 */
function retired(record: ServerRecord, now: number): ServerRecord {
  const { id, deployment, name, domain, machine, instance, enrolledAt, keyHash } = record;
  const { report, reportAt, changes, bucket } = record;
  return {
    ...{ id, deployment, name, machine, instance, enrolledAt, keyHash, retiredAt: now },
    ...(domain === undefined ? {} : { domain }),
    ...(reportAt === undefined ? {} : { reportAt }),
    ...(report && {
      report: {
        ...report,
        findings: report.findings
          .toSorted((one, other) => one.severity.localeCompare(other.severity))
          .slice(0, maxLines),
        services: report.services.slice(0, maxLines),
        ...(report.releases && { releases: report.releases.slice(0, maxLines) }),
        certificates: report.certificates.slice(0, maxLines),
        addresses: report.addresses.slice(0, maxLines),
      },
    }),
    ...{ changes: changes.slice(0, maxLines), refused: [], boots: [], bucket },
  };
}

const dayMs = 86_400_000;
/** A server is deleted so long after its key ended, like its figures. */
const retentionMs = 90 * dayMs;
/** And so many of them, those that ended last: each is read wherever all servers are listed. */
const maxRetired = 500;

/** Deletes disconnected servers past these limits, with their figures and incidents. */
export function removeRetired(sql: SqlStorage, now: number): void {
  const over = sql
    .exec<{ id: string; number: number }>(
      `select id, number from servers where retired < ? union
       select id, number from (
         select id, number from servers where retired is not null
         order by retired desc, number desc limit -1 offset ?
       )`,
      ...[now - retentionMs, maxRetired],
    )
    .toArray();
  if (over.length === 0) return;
  saveLastNumber(sql);
  for (const { id, number } of over) {
    removeFigures(sql, number, now);
    sql.exec("delete from incidents where server = ?", id);
    sql.exec("delete from servers where id = ?", id);
  }
}
