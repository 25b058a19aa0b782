import { repaused } from "~/features/servers/state/pauses";
import type { ServerRecord } from "~/features/servers/state/server-record";
import type { WorkspaceFacts } from "~/features/servers/state/workspace-facts";
import { factsIn, keepFacts } from "./facts.server";
import { removeHistory } from "./history-end.server";
import { connectedIn } from "./server-table.server";

/** Which servers may report, by what the site last told of the workspace's plan. */
export class Pausing {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #save: (record: ServerRecord) => void;
  readonly #forgetIncidents: () => void;

  /** `save` keeps a record that changed, and `forgetIncidents` what of them is held in memory. */
  constructor(
    sql: SqlStorage,
    now: () => number,
    {
      save,
      forgetIncidents,
    }: { save: (record: ServerRecord) => void; forgetIncidents: () => void },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#save = save;
    this.#forgetIncidents = forgetIncidents;
  }

  /** Pauses servers, or lets them report again, and removes the history when its time is over. */
  update(facts: WorkspaceFacts): void {
    const former = factsIn(this.#sql);
    keepFacts(this.#sql, facts);
    this.repause();
    if (facts.isHistoryOver && !former?.isHistoryOver) {
      removeHistory(this.#sql);
      this.#forgetIncidents();
    }
  }

  /** Lets as many servers report as the plan has; `picked` is one of them. */
  repause(picked?: string): void {
    const facts = factsIn(this.#sql);
    if (!facts) return;
    for (const record of repaused(connectedIn(this.#sql), facts, this.#now(), picked)) {
      this.#save(record);
    }
  }
}
