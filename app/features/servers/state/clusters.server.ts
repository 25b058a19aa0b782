import { clusterIdOf, type ServerRecord } from "./server-record";
import { connectedIn, recordsOf } from "./server-table.server";

/**
 * Which servers are the clusters of a fleet. Their ids alone are held in memory, so that a report reads the few others of its
 * cluster and no more, and that of a server by itself none.
 */
export class Clusters {
  readonly #sql: SqlStorage;
  #ids: Map<string, Set<string>> | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  forget(): void {
    this.#ids = undefined;
  }

  /** The other servers of a server's cluster that are connected. */
  others(record: ServerRecord): ServerRecord[] {
    const cluster = clusterIdOf(record);
    if (cluster === undefined) return [];
    this.add(record);
    const others = this.ids(cluster).filter((id) => id !== record.id);
    return recordsOf(this.#sql, others).filter(
      (each) => each.retiredAt === undefined && clusterIdOf(each) === cluster,
    );
  }

  /** Of those that are, or were, in a cluster since the object woke. */
  ids(cluster: string): string[] {
    return [...(this.#clusters().get(cluster) ?? [])];
  }

  add(record: ServerRecord): void {
    const cluster = clusterIdOf(record);
    if (cluster === undefined) return;
    const ids = this.#clusters();
    ids.set(cluster, (ids.get(cluster) ?? new Set()).add(record.id));
  }

  #clusters(): Map<string, Set<string>> {
    if (this.#ids) return this.#ids;
    this.#ids = new Map();
    for (const record of connectedIn(this.#sql)) this.add(record);
    return this.#ids;
  }
}
