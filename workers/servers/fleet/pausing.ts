import { repaused } from "~/features/servers/fleet/pauses";
import type { WorkspaceFacts } from "~/features/servers/fleet/workspace-facts";
import { factsIn, keepFacts } from "./facts";
import { removeHistory } from "./history-end";
import type { Sockets } from "./sockets";
import { connectedIn } from "./tables/server-table";
import type { Watch } from "./watch";

/** Which servers may report, by what the site last told of the workspace's plan. */
export class Pausing {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #watch: Watch;
  readonly #sockets: Sockets;

  constructor(sql: SqlStorage, now: () => number, watch: Watch, sockets: Sockets) {
    this.#sql = sql;
    this.#now = now;
    this.#watch = watch;
    this.#sockets = sockets;
  }

  /** Pauses servers, or lets them report again, and removes the history when its time is over. */
  update(facts: WorkspaceFacts): void {
    const former = factsIn(this.#sql);
    keepFacts(this.#sql, facts);
    this.repause();
    if (facts.isHistoryOver && !former?.isHistoryOver) {
      removeHistory(this.#sql);
      this.#watch.forget();
    }
  }

  /** Lets as many servers report as the plan has; `picked` is one of them. */
  repause(picked?: string): void {
    const facts = factsIn(this.#sql);
    if (!facts) return;
    for (const record of repaused(connectedIn(this.#sql), facts, this.#now(), picked)) {
      this.#watch.look(record);
      this.#sockets.nudge(record.id, true);
    }
  }
}
