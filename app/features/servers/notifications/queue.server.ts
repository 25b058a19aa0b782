import type { ConnectionTestReport } from "~/features/deployments/embedded-test/report";
import { hoursEnd } from "../hours";
import type { Incident } from "../incidents/incident";
import type { Monitor } from "../incidents/monitor.server";
import type { Notification } from "../incidents/step";
import { logFailure } from "../log-failure";
import type { ServerRecord } from "../state/server-record";
import { recordIn } from "../state/server-table.server";
import type { PausedServers } from "../state/suspension.server";
import { factsIn } from "../state/workspace-facts.server";
import { checkEveryMs } from "../storage/alarms.server";
import { acknowledgeAddress } from "./acknowledge-link.server";
import { type Channel, isPager, type Message, type Sent } from "./channel";
import { covers } from "./channel-limits";
import { channelsIn, recordSent, saveChannel } from "./channels.server";
import { currentIncident } from "./current-incident.server";
import {
  type CurrentIncident,
  currentMessage,
  type Delivery,
  eventOf,
  type Item,
  mergedItems,
  messageOf,
} from "./current-message";
import {
  afterFailure,
  channelsWaiting,
  deliveriesOf,
  dueDeliveries,
  isGivenUp,
  nextDelivery,
  openingFor,
  ourFault,
  postponeDelivery,
  removeDelivery,
  saveDelivery,
} from "./deliveries.server";
import { messageWorkspace } from "./senders/post.server";
import { mayRepeatByMail, send } from "./senders/send.server";
import { channelsNow, zoneIn } from "./times/alert-times.server";

/** So many messages go to one channel at one alarm; the others follow at the next, which comes at once. */
const maxAtOnce = 20;
/**
 * For so long after the first a channel gets further messages at one alarm. A try takes at most 20 seconds, that of a test
 * at PagerDuty, which is two calls of 10. So servers are not checked for 26 seconds at most.
 */
const sendingMs = 6_000;

type Ready = { delivery: Delivery; message: Message };

/** The messages of one fleet that wait to be sent. */
export class NotificationQueue {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;
  readonly #monitor: Monitor;
  readonly #workspace: string;

  constructor(
    sql: SqlStorage,
    env: ServersEnv,
    now: () => number,
    { monitor, workspace }: { monitor: Monitor; workspace: string },
  ) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
    this.#monitor = monitor;
    this.#workspace = workspace;
  }

  add(incident: Incident, notification: Notification): void {
    // A channel for which something of the incident waits needs no repeat.
    const waiting = notification.event === "repeated" ? channelsWaiting(this.#sql, incident) : [];
    const channels = this.#channelsFor(incident).filter(({ id }) => !waiting.includes(id));
    for (const each of deliveriesOf(incident, notification, channels, this.#now(), newId)) {
      saveDelivery(this.#sql, each);
    }
  }

  /** A channel that was added is notified of what pages already. */
  addOpenings(id: string): void {
    for (const incident of this.#monitor.living.values()) {
      const channel = this.#channelsFor(incident).find((each) => each.id === id);
      const delivery = channel && openingFor(channel, incident, this.#now(), newId);
      if (delivery) saveDelivery(this.#sql, delivery);
    }
  }

  /** When something is to be sent; infinite where nothing waits. */
  due(): number {
    return nextDelivery(this.#sql) ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Tries what is due. Channels are tried beside each other; one that does not take a message waits with all of its, and
   * so does one at which something throws.
   */
  async sendDue(): Promise<void> {
    const channels = new Map(this.openChannels().map((channel) => [channel.id, channel]));
    const due = dueDeliveries(this.#sql, this.#now()).filter(
      (each) => !this.#isHeld(each, channels.get(each.channel)),
    );
    const waiting = Map.groupBy(due, ({ channel }) => channel);
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

  /**
   * Digests and tests wait until their channel's quiet hours end. That a server was disconnected does not: with a stolen
   * key it is how somebody would end the watch unseen.
   */
  #isHeld(delivery: Delivery, channel: Channel | undefined): boolean {
    if (delivery.kind !== "digest" && delivery.kind !== "test") return false;
    const until = hoursEnd(channel?.quiet, zoneIn(this.#sql), this.#now());
    if (until === undefined) return false;
    // What was not tried before has its 24 hours afterwards.
    const from = delivery.tries === 0 ? until : delivery.from;
    saveDelivery(this.#sql, { ...delivery, due: until, from });
    return true;
  }

  /** Those still in the table are due again with the next check of servers, and given up after 24 hours. */
  #postpone(channel: Channel, deliveries: readonly Delivery[]): void {
    const now = this.#now();
    for (const each of deliveries) {
      if (isGivenUp(each, now)) this.#giveUp(channel, each, ourFault);
      else postponeDelivery(this.#sql, each.id, now + checkEveryMs);
    }
  }

  /** What it has no time for stays due, so that the next alarm comes at once. */
  async #sendTo(channel: Channel, deliveries: readonly Delivery[]): Promise<void> {
    const until = this.#now() + sendingMs;
    let tried = 0;
    for (const [at, delivery] of deliveries.entries()) {
      if (tried >= maxAtOnce || this.#now() >= until) return;
      const ready = this.#readied(channel, delivery);
      if (!ready) continue;
      const { items } = ready.delivery;
      const isUnpaid = channel.kind === "mail" && !mayRepeatByMail(this.#sql, this.#now());
      if (isRepeat(ready.delivery) && isUnpaid) {
        removeDelivery(this.#sql, delivery.id);
        continue;
      }
      tried += 1;
      saveDelivery(this.#sql, ready.delivery);
      const opens = items.some((item) => isOpening(item) && this.#isFirst(channel, item));
      const sent = await this.#try(channel, await this.#withLinks(ready.message, channel), opens);
      if (this.#settle(channel, ready, sent)) continue;
      for (const later of deliveries.slice(at + 1)) {
        const next = afterFailure(ready.delivery, this.#now(), waitOf(sent));
        if (next) saveDelivery(this.#sql, { ...later, due: next.due });
      }
      return;
    }
  }

  /** What is due to a mail channel at the same time is one mail, and what is due of one incident is one message. */
  #merged(channel: Channel, deliveries: readonly Delivery[]): Delivery[] {
    const groups = Map.groupBy(deliveries, ({ kind, id, items }) => {
      if (kind !== "notification" || items.some(({ event }) => event === "acknowledged")) return id;
      return channel.kind === "mail" ? "mail" : (items[0]?.incident ?? id);
    });
    return [...groups.values()].flatMap(([first, ...others]) => {
      if (!first || others.length === 0) return first ? [first] : [];
      const merged = {
        ...first,
        items: mergedItems([first, ...others].flatMap(({ items }) => items)),
      };
      saveDelivery(this.#sql, merged);
      for (const { id } of others) removeDelivery(this.#sql, id);
      return [merged];
    });
  }

  /** The delivery with the message as the present has it; undefined where nothing of it is to be sent now. */
  #readied(channel: Channel, delivery: Delivery): Ready | undefined {
    const now = this.#now();
    const { kind, failed, server, paused, connectionTest } = delivery;
    const { items, incidents, waiting } = currentMessage(delivery, channel, now, (item) =>
      this.present(item),
    );
    if (delivery.items.length > 0 && items.length === 0) {
      // Nothing was tried while it waited, so it has its 24 hours afterwards.
      if (waiting) {
        const { until } = waiting;
        const later = { ...delivery, items: waiting.items, due: until, from: until, tries: 0 };
        saveDelivery(this.#sql, later);
      } else removeDelivery(this.#sql, delivery.id);
      return;
    }
    if (waiting) this.#requeue(delivery, waiting.items, waiting.until);
    const event = kind === "notification" ? eventOf(items.map((item) => item.event)) : kind;
    const workspace = messageWorkspace(this.#env, factsIn(this.#sql));
    const saying = {
      event,
      incidents,
      workspace,
      ...(failed && { failed }),
      ...(server && { server }),
      ...(paused && { paused }),
      ...(connectionTest && { connectionTest }),
    };
    const { message, tried } = messageOf(delivery, saying, now);
    return { delivery: { ...delivery, items, tried }, message };
  }

  /** What must wait is a message of its own, so that it holds up nothing else and is not lost with it. */
  #requeue({ channel, kind }: Delivery, items: readonly Item[], due: number): void {
    saveDelivery(this.#sql, { id: newId(), channel, kind, items, from: due, due, tries: 0 });
  }

  /** An incident as it is now, by its id. */
  present({ incident: id }: Pick<Item, "incident">): CurrentIncident | undefined {
    const incident = this.#monitor.incident(id);
    return incident && currentIncident(this.#sql, incident, this.#now());
  }

  /** Sends a message that says that it is a test. Undefined where there is no such channel. */
  async sendTest(id: string): Promise<Sent | undefined> {
    const channel = channelsIn(this.#sql).find((each) => each.id === id);
    if (!channel) return;
    const now = this.#now();
    saveChannel(this.#sql, { ...channel, testedAt: now });
    const sent = await this.#try(channel, {
      ...{ id: `test_${newId()}`, at: now, event: "test", incidents: [] },
      workspace: messageWorkspace(this.#env, factsIn(this.#sql)),
    });
    recordSent(this.#sql, id, sent, this.#now());
    return sent;
  }

  /** With a page for each incident that pages, and for all of them together. A digest wakes nobody, and has none. */
  async #withLinks(message: Message, { id: channel }: Channel): Promise<Message> {
    if (message.event === "digest") return message;
    const addressOf = (incident?: string) =>
      acknowledgeAddress(this.#env, {
        ...{ workspace: this.#workspace, channel, incident, at: message.at },
      });
    const incidents = await Promise.all(
      message.incidents.map(async (incident) => {
        const address = incident.closedAt === undefined ? await addressOf(incident.id) : undefined;
        return address === undefined ? incident : { ...incident, acknowledgeAddress: address };
      }),
    );
    const [first, ...others] = incidents.flatMap((each) => each.acknowledgeAddress ?? []);
    const address = others.length === 0 ? first : await addressOf();
    return { ...message, incidents, ...(address ? { acknowledgeAddress: address } : {}) };
  }

  #try(channel: Channel, message: Message, isOpening = false): Promise<Sent> {
    return send(this.#sql, this.#env, this.#now, { channel, message, isOpening });
  }

  /** What became of a try; whether the channel takes messages. */
  #settle(channel: Channel, { delivery, message }: Ready, sent: Sent): boolean {
    const now = this.#now();
    if (delivery.kind === "notification" && (sent.ok || mayHaveArrived(channel, sent))) {
      for (const { id, closedAt } of message.incidents) {
        this.#monitor.recordNotified(id, channel.id, closedAt === undefined);
      }
    }
    if (sent.ok) {
      removeDelivery(this.#sql, delivery.id);
      recordSent(this.#sql, channel.id, sent, now);
      return true;
    }
    // The next repeat is soon.
    if (sent.retry && isRepeat(delivery)) {
      removeDelivery(this.#sql, delivery.id);
      return false;
    }
    const next = sent.retry ? afterFailure(delivery, now, sent.waitMs) : undefined;
    if (next) saveDelivery(this.#sql, next);
    else this.#giveUp(channel, delivery, sent);
    return next === undefined;
  }

  /** The channel shows it, and another one says it once, until a message arrives there again. */
  #giveUp(channel: Channel, delivery: Delivery, sent: Sent & { ok: false }): void {
    const channels = channelsIn(this.#sql);
    const wasShown = channels.some(({ id, failed }) => id === channel.id && failed);
    removeDelivery(this.#sql, delivery.id);
    recordSent(this.#sql, channel.id, sent, this.#now());
    if (wasShown || delivery.kind === "channel-failed") return;
    const others = channels.filter(({ id, failed }) => id !== channel.id && !failed);
    const other = others.find(({ kind }) => kind === "mail") ?? others[0];
    if (!other) return;
    const failed = { kind: channel.kind, reason: sent.reason };
    this.addMessage(other, { kind: "channel-failed", items: [], failed });
  }

  /** Tells every channel that a machine ended its server's key: without it a stolen key could end the watch unseen. */
  addDisconnected({
    id,
    name,
    deployment,
  }: Pick<ServerRecord, "id" | "name" | "deployment">): void {
    for (const channel of this.openChannels().filter((each) => covers(each, deployment))) {
      this.addMessage(channel, { kind: "disconnected", items: [], server: { id, name } });
    }
  }

  /** Hands the result of an embedded connection test to a webhook; whether there is one that takes messages. */
  addConnectionTest(id: string, connectionTest: ConnectionTestReport): boolean {
    const channel = this.openChannels().find((each) => each.id === id && each.kind === "webhook");
    if (channel) this.addMessage(channel, { kind: "connection-test", items: [], connectionTest });
    return channel !== undefined;
  }

  /** Tells somebody who did not add a channel to them that there is one. */
  addTest(id: string): void {
    const channel = this.openChannels().find((each) => each.id === id);
    if (channel) this.addMessage(channel, { kind: "test", items: [] });
  }

  /** Tells every channel, once, of all servers that nobody watches any more. */
  addPaused(paused: PausedServers): void {
    for (const channel of this.openChannels()) {
      this.addMessage(channel, { kind: "paused", items: [], paused });
    }
  }

  /** Tells every channel that is left that these ended with the member who added them. */
  addEnded(channels: readonly Channel[]): void {
    const reason =
      "Who added it is not a member of the workspace any more. If you still need it, add it again under your name.";
    for (const { kind } of channels) {
      for (const left of this.openChannels()) {
        const failed = { kind, reason, ended: true as const };
        this.addMessage(left, { kind: "channel-failed", items: [], failed });
      }
    }
  }

  /** Puts a message among what waits, due now. */
  addMessage(
    channel: Channel,
    what: Omit<Delivery, "id" | "channel" | "due" | "from" | "tries" | "tried">,
  ): void {
    const now = this.#now();
    const delivery = { id: newId(), channel: channel.id, due: now, from: now, tries: 0, ...what };
    saveDelivery(this.#sql, delivery);
  }

  /** Nothing is sent to a channel whose target wants no more, until a test by hand arrives there. */
  openChannels(): Channel[] {
    return channelsIn(this.#sql).filter(({ failed }) => !failed?.isOver);
  }

  /** With the turns that the rota gives them now, for an incident's server. They are not stored. */
  #channelsFor({ server, isCluster }: Pick<Incident, "server" | "isCluster">): Channel[] {
    const deployment = isCluster ? server : recordIn(this.#sql, server)?.deployment;
    return channelsNow(this.#sql, this.openChannels(), this.#now(), deployment);
  }

  #isFirst({ id }: Channel, item: Item): boolean {
    const incident = this.#monitor.incident(item.incident);
    const channels = incident ? this.#channelsFor(incident) : [];
    return channels.some((each) => each.id === id && each.turn === "first");
  }
}

const isOpening = ({ event }: Item): boolean => event === "opened";

const isRepeat = ({ kind, items }: Delivery): boolean =>
  kind === "notification" && items.every(({ event }) => event === "repeated");

const newId = (): string => crypto.randomUUID();

/**
 * A pager must learn the end of what may have reached it, and so must a channel that may have been notified before the
 * answer was lost.
 */
const mayHaveArrived = ({ kind }: Channel, sent: Sent & { ok: false }): boolean =>
  sent.retry && (isPager({ kind }) || sent.isUnknown === true);

const waitOf = (sent: Sent): number | undefined => (sent.ok ? undefined : sent.waitMs);
