import type { Range } from "~/features/servers/fleet/figures/series";
import type { ServerRecord } from "~/features/servers/fleet/server-record";
import type {
  FleetOverview,
  KnownServer,
  ServerPage,
  ServerView,
} from "~/features/servers/fleet/server-view";
import { viewOf } from "~/features/servers/fleet/state";
import { logFailure } from "../log-failure";
import { seriesOf } from "./figures";
import type { OurOutage } from "./our-outage";
import type { Watch } from "./watch";

/** What the site shows of servers. */
export class Views {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #watch: Watch;
  readonly #outage: OurOutage;

  constructor(sql: SqlStorage, now: () => number, watch: Watch, outage: OurOutage) {
    this.#sql = sql;
    this.#now = now;
    this.#watch = watch;
    this.#outage = outage;
  }

  /** The newest server first. */
  overview(records: readonly ServerRecord[]): FleetOverview {
    const readAt = this.#now();
    const servers = records
      .toSorted((one, other) => other.enrolledAt - one.enrolledAt)
      .flatMap((record) => this.#viewOrNone(record, readAt));
    return { readAt, servers };
  }

  page(record: ServerRecord, range: Range): ServerPage {
    const readAt = this.#now();
    const { cpus, memory, disk } = record.report ?? {};
    return {
      ...this.#view(record, readAt),
      readAt,
      changes: record.changes,
      series: seriesOf(this.#sql, record.id, range, readAt),
      capacity: { cpus, memory: memory?.total, disk: disk?.total },
    };
  }

  /** One that cannot be shown does not hide the others. */
  #viewOrNone(record: ServerRecord, now: number): ServerView[] {
    try {
      return [this.#view(record, now)];
    } catch (error) {
      logFailure("A server was not shown", error);
      return [];
    }
  }

  #view(record: ServerRecord, now: number): ServerView {
    const incident = this.#watch.summary(record.id);
    return viewOf(record, now, { incident, outage: this.#outage.last });
  }
}

/** What the site's own database knows of a server. */
export function knownOf(record: ServerRecord): KnownServer {
  const { id, deployment, name, enrolledAt, retiredAt } = record;
  const known = { id, deployment, name, enrolledAt };
  return retiredAt === undefined ? known : { ...known, retiredAt };
}
