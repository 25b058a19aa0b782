import {
  type AddedChannel,
  type Channel,
  type ChannelRequest,
  type ChannelTarget,
  type ChannelView,
  channelKinds,
  channelsOfMember,
  isServiceKind,
  type Sent,
  type ServiceRequest,
  type Turn,
  viewOfChannel,
} from "~/features/servers/notifications/channel";
import { newWebhookSecret } from "~/features/servers/notifications/webhook-secret";
import { listAgeMs, type Member } from "~/features/servers/state/workspace-facts.server";
import type { Hours } from "../hours";
import { senderSettings } from "../sender-settings.server";
import { type StoredRow, saveSetting, settingIn, storedRecords } from "../storage/tables.server";
import { type ChannelLimits, overlap } from "./channel-limits";
import { addressRules, checkCustomerAddress } from "./senders/customer-address.server";
import { services } from "./senders/services.server";
import { channelsNow } from "./times/alert-times.server";

/** The channels of one fleet. There are none before its first token. */
export class FleetChannels {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;
  readonly #hasTables: () => boolean;

  constructor(sql: SqlStorage, env: ServersEnv, now: () => number, hasTables: () => boolean) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
    this.#hasTables = hasTables;
  }

  /** Undefined before the workspace made its first token. */
  views(): ChannelView[] | undefined {
    if (!this.#hasTables()) return;
    const channels = channelsIn(this.#sql);
    const now = channelsNow(this.#sql, channels, this.#now());
    return channels.map((channel, at) => {
      const turnNow = now[at] === channel ? undefined : now[at]?.turn;
      return { ...viewOfChannel(channel), ...(turnNow ? { turnNow } : {}) };
    });
  }

  /** `addedBy`: the account of the member whose wish it is. */
  add(request: ChannelRequest, turn: Turn, addedBy?: string, limits?: ChannelLimits): AddedChannel {
    const added = { turn, addedBy, limits };
    if (request.kind !== "webhook") return this.#save(request, added);
    const settings = senderSettings(this.#env);
    const rules = settings ? addressRules(settings) : { siteUrl: "" };
    const checked = checkCustomerAddress(request.url, rules);
    if ("refusal" in checked) return { refused: "address", says: checked.refusal };
    const secret = newWebhookSecret();
    const answer = this.#save({ kind: "webhook", url: checked.url, secret }, added);
    return "channel" in answer ? { ...answer, secret } : answer;
  }

  addService({ kind, fields, ...added }: ServiceRequest): AddedChannel {
    const settings = senderSettings(this.#env);
    if (!settings) return { refused: "not-connected" };
    const checked = services[kind].check(fields, settings);
    if ("refusal" in checked) return { refused: "address", says: checked.refusal };
    return this.#save({ kind, ...checked }, added);
  }

  #save(
    target: ChannelTarget,
    { turn, addedBy, limits }: Pick<Channel, "turn" | "addedBy" | "limits">,
  ): AddedChannel {
    if (!this.#hasTables()) return { refused: "not-connected" };
    const existing = channelsIn(this.#sql);
    const isThere = existing.some(
      (each) => recipientOf(each) === recipientOf(target) && overlap(each, { limits }),
    );
    if (isThere) return { refused: "already-there" };
    if (existing.length >= maxChannels) return { refused: "too-many" };
    const made = { id: crypto.randomUUID(), madeAt: this.#now(), turn };
    const more = { ...(addedBy ? { addedBy } : {}), ...(limits ? { limits } : {}) };
    const channel: Channel = { ...target, ...made, ...more };
    saveChannel(this.#sql, channel);
    return { channel: viewOfChannel(channel) };
  }

  /** The first person who connects a server gets a mail channel, once: where it is removed, no other is made. */
  addFirst(request: Extract<ChannelRequest, { kind: "mail" }>): AddedChannel | undefined {
    if (settingIn(this.#sql, "first-channel")) return;
    saveSetting(this.#sql, "first-channel", true);
    if (channelsIn(this.#sql).length > 0) return;
    saveSetting(this.#sql, secondChannel, "wanted");
    return this.add(request, "first", request.person);
  }

  /** Whether there is such a channel. */
  changeTurn(id: string, turn: Turn): boolean {
    const channel = this.#channel(id);
    if (channel) saveChannel(this.#sql, { ...channel, turn });
    return channel !== undefined;
  }

  /** Null: nothing of it waits. Whether there is such a channel. */
  setQuietHours(id: string, quiet: Hours | null): boolean {
    const channel = this.#channel(id);
    if (!channel) return false;
    const { quiet: _, ...rest } = channel;
    saveChannel(this.#sql, quiet ? { ...rest, quiet } : rest);
    return true;
  }

  /** Whether there is such a channel to PagerDuty. */
  setPagerSecret(id: string, webhookSecret: string): boolean {
    const channel = this.#channel(id);
    if (channel?.kind !== "pagerduty") return false;
    const { heardAt: _, ...rest } = channel;
    saveChannel(this.#sql, { ...rest, webhookSecret });
    return true;
  }

  /**
   * The first channel of a workspace reaches one person: a second one is notified after ten minutes, once somebody else
   * of the workspace has a confirmed address and may connect servers. Nothing is added to channels that people chose.
   */
  addSecond(members: readonly Member[]): string | undefined {
    if (settingIn(this.#sql, secondChannel) !== "wanted") return;
    const channels = channelsIn(this.#sql);
    const [first, ...others] = channels;
    const isOurs = first?.kind === "mail" && others.length === 0;
    const other = members.find(
      ({ person, address, connects }) =>
        connects && address && first?.kind === "mail" && person !== first.person,
    );
    if (isOurs && !other) return;
    saveSetting(this.#sql, secondChannel, "settled");
    if (!isOurs || !other?.address) return;
    const { person, address } = other;
    const added = this.add({ kind: "mail", person, address }, "second");
    return "channel" in added ? added.channel.id : undefined;
  }

  remove(id: string): void {
    if (this.#hasTables()) removeChannel(this.#sql, id);
  }

  /** Removes a former member's channels, and answers them. */
  removePerson(person: string): Channel[] {
    if (!this.#hasTables()) return [];
    const ended = channelsOfMember(channelsIn(this.#sql), person);
    this.#end(ended);
    return ended;
  }

  /**
   * Mails go to members alone, and to the addresses that they have now; other channels end with the member who added
   * them. Answers those of which the others are to learn: not the mail to themselves.
   */
  reconcileMembers(members: readonly Member[]): Channel[] {
    const channels = channelsIn(this.#sql);
    const { removed, changed } = reconciledChannels(channels, members, this.#now());
    for (const channel of changed) saveChannel(this.#sql, channel);
    return this.#end(channels.filter(({ id }) => removed.includes(id)));
  }

  #end(channels: readonly Channel[]): Channel[] {
    for (const { id } of channels) removeChannel(this.#sql, id);
    return channels.filter(({ kind }) => kind !== "mail");
  }

  #channel(id: string): Channel | undefined {
    return this.#hasTables() ? channelsIn(this.#sql).find((each) => each.id === id) : undefined;
  }
}

const secondChannel = "second-channel";

/** Equal for two channels that reach the same recipient. */
function recipientOf(target: ChannelTarget): string {
  switch (target.kind) {
    case "mail":
      return `mail ${target.address.toLowerCase()}`;
    case "pagerduty":
      return `pagerduty ${target.routingKey}`;
    case "webhook":
      return `webhook ${target.url}`;
    default: {
      const { name: _, ...reached } = target.fields;
      return `${target.kind} ${JSON.stringify(reached)}`;
    }
  }
}

/** More channels would be more work at each incident than one message each is worth. */
export const maxChannels = 10;

/**
 * The channels of a workspace, the oldest first. Those at services have a table of their own, because the Worker of the
 * version before can do nothing with them; what a later one adds there is left out in the same way.
 */
export function channelsIn(sql: SqlStorage): Channel[] {
  const rows = sql
    .exec<StoredRow>(
      "select id, record from channels union all select id, record from service_channels",
    )
    .toArray();
  return storedRecords(sql, "channels", rows, (channel: Channel) => channel)
    .filter(({ kind }) => Object.hasOwn(channelKinds, kind))
    .sort((one, other) => one.madeAt - other.madeAt || one.id.localeCompare(other.id));
}

export function saveChannel(sql: SqlStorage, channel: Channel): void {
  const table = isServiceKind(channel.kind) ? "service_channels" : "channels";
  sql.exec(
    `insert into ${table} (id, record) values (?, ?) on conflict do update set record = excluded.record`,
    ...[channel.id, JSON.stringify(channel)],
  );
}

function removeChannel(sql: SqlStorage, id: string): void {
  sql.exec("delete from channels where id = ?", id);
  sql.exec("delete from service_channels where id = ?", id);
}

/** Notes that a message arrived, or was given up and why. A channel that was removed meanwhile stays away. */
export function recordSent(sql: SqlStorage, id: string, sent: Sent, now: number): void {
  const channel = channelsIn(sql).find((each) => each.id === id);
  if (!channel) return;
  const { failed, ...rest } = channel;
  if (!sent.ok) {
    const { reason, isOver = failed?.isOver } = sent;
    saveChannel(sql, { ...rest, failed: { at: now, reason, ...(isOver ? { isOver } : {}) } });
  } else if (failed) saveChannel(sql, rest);
}

/**
 * What becomes of channels where these are the members: mails to others and what others added are removed, and addresses
 * that changed are corrected. It makes up for whatever was lost when somebody left. A channel that may be newer than the
 * list stays.
 */
export function reconciledChannels(
  channels: readonly Channel[],
  members: readonly Member[],
  now: number,
): { removed: string[]; changed: Channel[] } {
  const addresses = new Map(members.map(({ person, address }) => [person, address]));
  const mails = channels.flatMap((each) => (each.kind === "mail" ? [each] : []));
  const taken = new Set(mails.map(({ address }) => address.toLowerCase()));
  const removed = channels
    .filter(({ kind, addedBy, madeAt }) => {
      const isEnded = kind !== "mail" && addedBy !== undefined && !addresses.has(addedBy);
      return isEnded && now - madeAt >= listAgeMs;
    })
    .map(({ id }) => id);
  const changed: Channel[] = [];
  for (const { failed: _, ...mail } of mails) {
    const address = addresses.get(mail.person);
    if (now - mail.madeAt < listAgeMs || address === null || address === mail.address) continue;
    const isOther = address?.toLowerCase() !== mail.address.toLowerCase();
    if (address === undefined || (isOther && taken.has(address.toLowerCase()))) {
      removed.push(mail.id);
    } else {
      taken.add(address.toLowerCase());
      changed.push({ ...mail, address });
    }
  }
  return { removed, changed };
}
