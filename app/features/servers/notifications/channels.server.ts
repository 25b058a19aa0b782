import {
  type AddedChannel,
  type Channel,
  type ChannelRequest,
  type ChannelTarget,
  type ChannelView,
  type Sent,
  type Turn,
  viewOfChannel,
} from "~/features/servers/notifications/channel";
import {
  checkWebhookAddress,
  newWebhookSecret,
} from "~/features/servers/notifications/senders/webhook.server";
import { listAgeMs, type Member } from "~/features/servers/state/workspace-facts.server";
import { senderSettings } from "../sender-settings.server";
import { type StoredRow, saveSetting, settingIn, storedRecords } from "../storage/tables.server";

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
    return this.#hasTables() ? channelsIn(this.#sql).map(viewOfChannel) : undefined;
  }

  add(request: ChannelRequest, turn: Turn): AddedChannel {
    if (!this.#hasTables()) return { refused: "not-connected" };
    const checked = request.kind === "webhook" ? this.#checked(request.url) : undefined;
    if (checked && "refusal" in checked) return { refused: "address", says: checked.refusal };
    const target = checked ? { kind: "webhook" as const, url: checked.url } : request;
    const existing = channelsIn(this.#sql);
    if (existing.some((each) => recipientOf(each) === recipientOf(target))) {
      return { refused: "already-there" };
    }
    if (existing.length >= maxChannels) return { refused: "too-many" };
    const secret = target.kind === "webhook" ? newWebhookSecret() : undefined;
    const saved: ChannelTarget =
      target.kind === "webhook" ? { ...target, secret: secret ?? "" } : target;
    const channel: Channel = { ...saved, id: crypto.randomUUID(), madeAt: this.#now(), turn };
    saveChannel(this.#sql, channel);
    return { channel: viewOfChannel(channel), ...(secret ? { secret } : {}) };
  }

  /** The first person who connects a server gets a mail channel, once: where it is removed, no other is made. */
  addFirst(request: Extract<ChannelRequest, { kind: "mail" }>): AddedChannel | undefined {
    if (settingIn(this.#sql, "first-channel")) return;
    saveSetting(this.#sql, "first-channel", true);
    if (channelsIn(this.#sql).length > 0) return;
    saveSetting(this.#sql, secondChannel, "wanted");
    return this.add(request, "first");
  }

  /** Whether there is such a channel. */
  changeTurn(id: string, turn: Turn): boolean {
    const channel = this.#channel(id);
    if (channel) saveChannel(this.#sql, { ...channel, turn });
    return channel !== undefined;
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

  removePerson(person: string): void {
    if (this.#hasTables()) removePerson(this.#sql, person);
  }

  /** Mails go to members alone, and to the addresses that they have now. */
  reconcileMembers(members: readonly Member[]): void {
    const { removed, changed } = reconciledChannels(channelsIn(this.#sql), members, this.#now());
    for (const id of removed) removeChannel(this.#sql, id);
    for (const channel of changed) saveChannel(this.#sql, channel);
  }

  #checked(url: string) {
    const { SITE_URL = "", WEBHOOK_TEST_ORIGIN } = senderSettings(this.#env) ?? {};
    return checkWebhookAddress(url, { siteUrl: SITE_URL, testOrigin: WEBHOOK_TEST_ORIGIN });
  }

  #channel(id: string): Channel | undefined {
    return this.#hasTables() ? channelsIn(this.#sql).find((each) => each.id === id) : undefined;
  }
}

const secondChannel = "second-channel";

/** Equal for two channels that reach the same recipient. */
function recipientOf(target: ChannelRequest): string {
  switch (target.kind) {
    case "mail":
      return `mail ${target.address.toLowerCase()}`;
    case "pagerduty":
      return `pagerduty ${target.routingKey}`;
    case "webhook":
      return `webhook ${target.url}`;
  }
}

/** More channels would be more work at each incident than one message each is worth. */
export const maxChannels = 10;

/** The channels of a workspace, the oldest first. */
export function channelsIn(sql: SqlStorage): Channel[] {
  const rows = sql.exec<StoredRow>("select id, record from channels");
  return storedRecords(sql, "channels", rows, (channel: Channel) => channel).sort(
    (one, other) => one.madeAt - other.madeAt || one.id.localeCompare(other.id),
  );
}

export function saveChannel(sql: SqlStorage, channel: Channel): void {
  sql.exec(
    "insert into channels (id, record) values (?, ?) on conflict do update set record = excluded.record",
    ...[channel.id, JSON.stringify(channel)],
  );
}

function removeChannel(sql: SqlStorage, id: string): void {
  sql.exec("delete from channels where id = ?", id);
}

/** Removes every channel to a person, who is no member any more. */
function removePerson(sql: SqlStorage, person: string): void {
  for (const channel of channelsIn(sql)) {
    if (channel.kind === "mail" && channel.person === person) removeChannel(sql, channel.id);
  }
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
 * What becomes of mail channels where these are the members: those to others are removed, and addresses that changed are
 * corrected. It makes up for whatever was lost when somebody left. A channel that may be newer than the list stays.
 */
export function reconciledChannels(
  channels: readonly Channel[],
  members: readonly Member[],
  now: number,
): { removed: string[]; changed: Channel[] } {
  const addresses = new Map(members.map(({ person, address }) => [person, address]));
  const mails = channels.flatMap((each) => (each.kind === "mail" ? [each] : []));
  const taken = new Set(mails.map(({ address }) => address.toLowerCase()));
  const removed: string[] = [];
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
