import { causeKey, type Incident, isPaging } from "../incidents/incident";
import type { Monitor } from "../incidents/monitor.server";
import { saveSetting, settingIn } from "../storage/tables.server";
import { type Channel, isPager } from "./channel";
import { saveChannel } from "./channels.server";
import { type Item, judgeDigest } from "./current-message";
import type { NotificationQueue } from "./queue.server";

const dayMs = 86_400_000;
/** The digest of the day is made at this hour of UTC: before most people's work begins. */
const digestHour = 7;
const testEveryMs = 30 * dayMs;

/**
 * When the next digest is made; undefined while every cause was in one. Nothing was to be in one before `from`: the last
 * digest, or the first channel that gets any.
 */
export function digestDue(incidents: Iterable<Incident>, from: number): number | undefined {
  const since = [...incidents].filter(isTelling).flatMap((incident) => {
    const { causes, calmSince = 0, digested = [] } = incident;
    return causes
      .filter((cause) => cause.endedAt === undefined && !digested.includes(causeKey(cause)))
      .map((cause) => Math.max(cause.since, calmSince));
  });
  if (since.length === 0) return;
  const shift = digestHour * 3_600_000;
  const begins = Math.max(from, Math.min(...since)) - shift;
  return (Math.floor(begins / dayMs) + 1) * dayMs + shift;
}

/** What waits for the digest: it lasts, and wakes nobody. */
const isTelling = (incident: Incident): boolean =>
  incident.closedAt === undefined && !isPaging(incident);

/**
 * Digests go to the first channels, but to no pager: nobody is woken for a digest. Whose week it is by the rota does not
 * matter: they may be reached by push alone.
 */
const getsDigest = (channel: Channel): boolean =>
  channel.turn === "first" && !isPager(channel) && !channel.limits?.onlyPages;

/** When a channel is tested next, so that nobody learns in an emergency that it does not work. */
export const testDue = ({ testedAt, madeAt }: Channel): number =>
  (testedAt ?? madeAt) + testEveryMs;

const digestSetting = "digest-at";

/** The digest of each day and the test of each month, as a fleet puts them into its queue. */
export class DailyMessages {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #monitor: Monitor;
  readonly #queue: NotificationQueue;

  constructor(sql: SqlStorage, now: () => number, monitor: Monitor, queue: NotificationQueue) {
    this.#sql = sql;
    this.#now = now;
    this.#monitor = monitor;
    this.#queue = queue;
  }

  /** When the next digest or test notification is due, in milliseconds since 1970; Infinity where none is. */
  due(): number {
    const channels = this.#queue.openChannels();
    const digest = this.#digestDue(channels) ?? Number.POSITIVE_INFINITY;
    return Math.min(digest, ...channels.map(testDue));
  }

  /** Puts the digest of the day and the tests of the month among what waits. */
  add(): void {
    const now = this.#now();
    const channels = this.#queue.openChannels();
    for (const channel of channels.filter((each) => testDue(each) <= now)) {
      saveChannel(this.#sql, { ...channel, testedAt: now });
      this.#queue.addMessage(channel, { kind: "test", items: [] });
    }
    const due = this.#digestDue(channels);
    if (due === undefined || due > now) return;
    saveSetting(this.#sql, digestSetting, now);
    // What is quiet now waits for another digest.
    const listed = [...this.#monitor.living.values()].filter(
      ({ id }) => judgeDigest(this.#queue.present({ incident: id }), now) !== "drop",
    );
    if (listed.length === 0) return;
    for (const incident of listed) this.#monitor.digest(incident);
    const items = listed.map(({ id }): Item => ({ incident: id, event: "rollup" }));
    for (const channel of channels.filter(getsDigest)) {
      this.#queue.addMessage(channel, { kind: "digest", items });
    }
  }

  #digestDue(channels: readonly Channel[]): number | undefined {
    const readers = channels.filter(getsDigest);
    if (readers.length === 0) return;
    const last = settingIn<number>(this.#sql, digestSetting) ?? 0;
    const from = Math.max(last, Math.min(...readers.map(({ madeAt }) => madeAt)));
    return digestDue(this.#monitor.living.values(), from);
  }
}
