import { lastingPause } from "~/features/servers/fleet/pauses";
import { retired } from "~/features/servers/fleet/retired";
import type { ServerRecord } from "~/features/servers/fleet/server-record";
import { answerRequest, withdrawn } from "~/features/servers/fleet/take-report";
import type { Leaving } from "../machines/enrolment";
import type { Pausing } from "./pausing";
import { removeRetired } from "./retired-servers";
import type { Sockets } from "./sockets";
import { connectedIn, recordIn } from "./tables/server-table";
import type { Watch } from "./watch";

/** What people decide of servers, and what machines say that take their leave. Each answers whether anything changed. */
export class ServerChanges {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #watch: Watch;
  readonly #pausing: Pausing;
  readonly #sockets: Sockets;

  constructor(
    sql: SqlStorage,
    now: () => number,
    { watch, pausing, sockets }: { watch: Watch; pausing: Pausing; sockets: Sockets },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#watch = watch;
    this.#pausing = pausing;
    this.#sockets = sockets;
  }

  /** Of those that are paused for want of room in the plan, this one stays. */
  keep(id: string): boolean {
    const record = recordIn(this.#sql, id);
    if (!record || record.retiredAt !== undefined) return false;
    if (lastingPause(record)?.why !== "plan-limit") return false;
    this.#pausing.repause(id);
    return true;
  }

  /** Answers the machine that asked at `askedAt` for a server's place, where it is the one that asks now. */
  answerRequest(id: string, isAllowed: boolean, askedAt: number): boolean {
    const record = recordIn(this.#sql, id);
    return this.#change(record && answerRequest(record, { isAllowed, askedAt }, this.#now()));
  }

  /** A copy of a server's machine asks for its place no longer. */
  withdraw(record: ServerRecord, copy: Leaving): boolean {
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
      connectedIn(this.#sql).filter(({ deployment }) => deployments.has(deployment)),
    );
  }

  #retire(records: readonly ServerRecord[]): boolean {
    const present = records.filter(({ retiredAt }) => retiredAt === undefined);
    if (present.length === 0) return false;
    const now = this.#now();
    for (const record of present) this.#change(retired(record, now));
    removeRetired(this.#sql, now);
    this.#pausing.repause();
    return true;
  }

  #change(record: ServerRecord | undefined): boolean {
    if (!record) return false;
    this.#watch.look(record);
    this.#sockets.nudge(record.id, true);
    return true;
  }
}
