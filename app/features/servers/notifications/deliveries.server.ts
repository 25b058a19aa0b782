import type { Incident } from "~/features/servers/incidents/incident";
import type { Told } from "~/features/servers/incidents/say";
import type { Channel, Message, Sent } from "~/features/servers/notifications/channel";
import { digestDue, getsDigest, testDue } from "~/features/servers/notifications/daily";
import type { Delivery, Item } from "~/features/servers/notifications/delivery";
import {
  afterFailure,
  deliveriesOf,
  eventOf,
  folded,
  isGivenUp,
  judgeDigest,
  judgeItem,
  messageOf,
  type Present,
} from "~/features/servers/notifications/queue";
import { shownPause } from "~/features/servers/state/pauses";
import type { Watch } from "../incidents/watch.server";
import { logFailure } from "../log-failure";
import { factsIn } from "../state/facts.server";
import { recordIn } from "../state/server-table.server";
import { lookEveryMs } from "../storage/alarms.server";
import { keepSetting, settingIn } from "../storage/settings-table.server";
import type { FleetChannels } from "./channels.server";
import { channelsIn, keepChannel, noteSent } from "./channels-table.server";
import {
  dueDeliveries,
  keepDelivery,
  nextDelivery,
  postponeDelivery,
  removeDelivery,
} from "./deliveries-table.server";
import { toldWorkspace } from "./senders/told-workspace.server";

const digestSetting = "digest-at";
/** So many messages go to one channel at one alarm; the others follow at the next, which comes at once. */
const mostAtOnce = 20;
/**
 * For so long after the first a channel gets further messages at one alarm. A try takes at most 20 seconds, that of a test
 * at PagerDuty, which is two calls of 10. So nobody looks at servers for 26 seconds at most.
 */
const sendingMs = 6_000;

type Ready = { delivery: Delivery; message: Message };

/** The messages of one fleet that wait to be sent. */
export class Deliveries {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;
  readonly #channels: FleetChannels;
  readonly #watch: Watch;

  constructor(
    sql: SqlStorage,
    env: ServersEnv,
    now: () => number,
    { channels, watch }: { channels: FleetChannels; watch: Watch },
  ) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
    this.#channels = channels;
    this.#watch = watch;
  }

  add(incident: Incident, told: Told): void {
    const channels = this.#openChannels();
    for (const each of deliveriesOf(incident, told, channels, this.#now(), newId)) {
      keepDelivery(this.#sql, each);
    }
  }

  /** When something is to be sent; infinite where nothing waits. */
  due(): number {
    return nextDelivery(this.#sql) ?? Number.POSITIVE_INFINITY;
  }

  /** When a digest or a test is to be made; infinite where neither is. */
  dailyDue(): number {
    const channels = this.#openChannels();
    const digest = this.#digestDue(channels) ?? Number.POSITIVE_INFINITY;
    return Math.min(digest, ...channels.map(testDue));
  }

  /** Puts the digest of the day and the tests of the month among what waits. */
  addDaily(): void {
    const now = this.#now();
    const channels = this.#openChannels();
    for (const channel of channels.filter((each) => testDue(each) <= now)) {
      keepChannel(this.#sql, { ...channel, testedAt: now });
      this.#keepNew(channel, { kind: "test", items: [] });
    }
    const due = this.#digestDue(channels);
    if (due === undefined || due > now) return;
    keepSetting(this.#sql, digestSetting, now);
    // What is quiet now waits for another digest.
    const told = [...this.#watch.living.values()].filter(
      ({ id }) => judgeDigest(this.#present({ incident: id }), now) !== "drop",
    );
    if (told.length === 0) return;
    for (const incident of told) this.#watch.digest(incident);
    const items = told.map(({ id }): Item => ({ incident: id, event: "sum" }));
    for (const channel of channels.filter(getsDigest)) {
      this.#keepNew(channel, { kind: "digest", items });
    }
  }

  /**
   * Tries what is due. Channels are tried beside each other; one that does not take a message waits with all of its, and
   * so does one at which something throws.
   */
  async sendDue(): Promise<void> {
    const channels = new Map(this.#openChannels().map((channel) => [channel.id, channel]));
    const waiting = Map.groupBy(dueDeliveries(this.#sql, this.#now()), ({ channel }) => channel);
    const tries = [...waiting].map(async ([id, deliveries]) => {
      const channel = channels.get(id);
      if (!channel) for (const each of deliveries) removeDelivery(this.#sql, each.id);
      else
        try {
          await this.#sendTo(channel, this.#merged(channel, deliveries));
        } catch (error) {
          logFailure("A channel's messages were not sent", error);
          this.#postpone(channel, deliveries);
        }
    });
    const failed = (await Promise.allSettled(tries)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  /** Of these, what is still there comes again with the next look at servers, until it is given up after 24 hours. */
  #postpone(channel: Channel, deliveries: readonly Delivery[]): void {
    const now = this.#now();
    for (const each of deliveries) {
      if (isGivenUp(each, now)) this.#giveUp(channel, each, ourFault);
      else postponeDelivery(this.#sql, each.id, now + lookEveryMs);
    }
  }

  /** What it has no time for stays due, so that the next alarm comes at once. */
  async #sendTo(channel: Channel, deliveries: readonly Delivery[]): Promise<void> {
    const until = this.#now() + sendingMs;
    let tried = 0;
    for (const [at, delivery] of deliveries.entries()) {
      if (tried >= mostAtOnce || this.#now() >= until) return;
      const ready = this.#readied(channel, delivery);
      if (!ready) continue;
      tried += 1;
      keepDelivery(this.#sql, ready.delivery);
      const opens = channel.turn === "first" && ready.delivery.items.some(isOpening);
      const sent = await this.#channels.sendTo(channel, ready.message, opens);
      if (this.#settle(channel, ready, sent)) continue;
      for (const later of deliveries.slice(at + 1)) {
        const next = afterFailure(ready.delivery, this.#now());
        if (next) keepDelivery(this.#sql, { ...later, due: next.due });
      }
      return;
    }
  }

  /** What is due to a mail channel at the same time is one mail, and what is due of one incident is one message. */
  #merged(channel: Channel, deliveries: readonly Delivery[]): Delivery[] {
    const groups = Map.groupBy(deliveries, ({ kind, id, items }) => {
      if (kind !== "told") return id;
      return channel.kind === "mail" ? "mail" : (items[0]?.incident ?? id);
    });
    return [...groups.values()].flatMap(([first, ...others]) => {
      if (!first || others.length === 0) return first ? [first] : [];
      const merged = { ...first, items: folded([first, ...others].flatMap(({ items }) => items)) };
      keepDelivery(this.#sql, merged);
      for (const { id } of others) removeDelivery(this.#sql, id);
      return [merged];
    });
  }

  /** The delivery with the message as the present has it; undefined where nothing of it is to be sent now. */
  #readied(channel: Channel, delivery: Delivery): Ready | undefined {
    const now = this.#now();
    const { kind, failed, items } = delivery;
    const said: { item: Item; incident: Message["incidents"][number] }[] = [];
    const waiting: Item[] = [];
    let until = Number.POSITIVE_INFINITY;
    for (const item of items) {
      const present = this.#present(item);
      const judged =
        kind === "digest"
          ? judgeDigest(present, now)
          : judgeItem(item, present, channel, now, delivery.tried !== undefined);
      if (judged === "drop") continue;
      if ("until" in judged) {
        waiting.push(item);
        until = Math.min(until, judged.until);
      } else said.push({ item: { ...item, event: judged.event }, incident: judged.send });
    }
    if (items.length > 0 && said.length === 0) {
      // Nothing was tried while it waited, so it has its 24 hours afterwards.
      if (waiting.length > 0)
        keepDelivery(this.#sql, { ...delivery, items: waiting, due: until, from: until, tries: 0 });
      else removeDelivery(this.#sql, delivery.id);
      return;
    }
    if (waiting.length > 0) this.#keepWaiting(delivery, waiting, until);
    const event = kind === "told" ? eventOf(said.map(({ item }) => item.event)) : kind;
    const incidents = said.map(({ incident }) => incident);
    const workspace = toldWorkspace(this.#env, factsIn(this.#sql));
    const saying = { event, incidents, workspace, ...(failed ? { failed } : {}) };
    const { message, tried } = messageOf(delivery, saying, now);
    return { delivery: { ...delivery, items: said.map(({ item }) => item), tried }, message };
  }

  /** What must wait is a message of its own, so that it holds up nothing else and is not lost with it. */
  #keepWaiting({ channel, kind }: Delivery, items: readonly Item[], due: number): void {
    keepDelivery(this.#sql, { id: newId(), channel, kind, items, from: due, due, tries: 0 });
  }

  #present({ incident: id }: Pick<Item, "incident">): Present | undefined {
    const incident = this.#watch.incident(id);
    const record = incident && recordIn(this.#sql, incident.server);
    if (!incident || !record) return;
    const { name, maintenanceUntil, retiredAt } = record;
    const paused = shownPause(record, this.#now()) ? "paused" : undefined;
    const unwatched = retiredAt === undefined ? paused : "disconnected";
    return { incident, name, maintenanceUntil, unwatched };
  }

  /** What became of a try; whether the channel takes messages. */
  #settle(channel: Channel, { delivery, message }: Ready, sent: Sent): boolean {
    const now = this.#now();
    if (delivery.kind === "told" && (sent.ok || mayHaveArrived(channel, sent))) {
      for (const { id, closedAt } of message.incidents) {
        this.#watch.hear(id, channel.id, closedAt === undefined);
      }
    }
    if (sent.ok) {
      removeDelivery(this.#sql, delivery.id);
      noteSent(this.#sql, channel.id, sent, now);
      return true;
    }
    const next = sent.retry ? afterFailure(delivery, now) : undefined;
    if (next) keepDelivery(this.#sql, next);
    else this.#giveUp(channel, delivery, sent);
    return next === undefined;
  }

  /** The channel shows it, and another one says it once, until a message arrives there again. */
  #giveUp(channel: Channel, delivery: Delivery, sent: Sent & { ok: false }): void {
    const channels = channelsIn(this.#sql);
    const wasShown = channels.some(({ id, failed }) => id === channel.id && failed);
    removeDelivery(this.#sql, delivery.id);
    noteSent(this.#sql, channel.id, sent, this.#now());
    if (wasShown || delivery.kind === "channel-failed") return;
    const others = channels.filter(({ id, failed }) => id !== channel.id && !failed);
    const other = others.find(({ kind }) => kind === "mail") ?? others[0];
    if (!other) return;
    const failed = { kind: channel.kind, reason: sent.reason };
    this.#keepNew(other, { kind: "channel-failed", items: [], failed });
  }

  #keepNew(channel: Channel, what: Pick<Delivery, "kind" | "items" | "failed">): void {
    const now = this.#now();
    const delivery = { id: newId(), channel: channel.id, due: now, from: now, tries: 0, ...what };
    keepDelivery(this.#sql, delivery);
  }

  /** Nothing is sent to a channel whose target wants no more, until a test by hand arrives there. */
  #openChannels(): Channel[] {
    return channelsIn(this.#sql).filter(({ failed }) => !failed?.isOver);
  }

  #digestDue(channels: readonly Channel[]): number | undefined {
    const readers = channels.filter(getsDigest);
    if (readers.length === 0) return;
    const last = settingIn<number>(this.#sql, digestSetting) ?? 0;
    const from = Math.max(last, Math.min(...readers.map(({ madeAt }) => madeAt)));
    return digestDue(this.#watch.living.values(), from);
  }
}

const isOpening = ({ event }: Item): boolean => event === "opened";

const ourFault = {
  ok: false,
  retry: false,
  reason: "It was not sent, by a fault of ours.",
} as const;

const newId = (): string => crypto.randomUUID();

/**
 * A pager must learn the end of what it may have been told, and so must whoever may have been told before the answer
 * was lost.
 */
const mayHaveArrived = ({ kind }: Channel, sent: Sent & { ok: false }): boolean =>
  sent.retry && (kind === "pagerduty" || sent.isUnknown === true);
