import type {
  Channel,
  ChannelTarget,
  Message,
  Sent,
} from "~/features/servers/notifications/channel";
import {
  type AddedChannel,
  type ChannelView,
  type Turn,
  viewOfChannel,
  type WantedTarget,
} from "~/features/servers/notifications/channel-view";
import { keptToMembers } from "~/features/servers/notifications/kept-to-members";
import { checkWebhookAddress } from "~/features/servers/notifications/webhook-address";
import type { Member } from "~/features/servers/state/workspace-facts";
import { factsIn } from "../state/facts.server";
import { keepSetting, settingIn } from "../storage/settings-table.server";
import {
  channelsIn,
  keepChannel,
  mostChannels,
  noteSent,
  removeChannel,
  removePerson,
} from "./channels-table.server";
import { giveMailBack, takeMail } from "./mail-budget.server";
import { send } from "./senders/send.server";
import { channelSettings } from "./senders/settings.server";
import { toldWorkspace } from "./senders/told-workspace.server";
import { newWebhookSecret } from "./senders/webhook-signature.server";

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

  add(asked: WantedTarget, turn: Turn): AddedChannel {
    if (!this.#hasTables()) return { refused: "not-connected" };
    const checked = asked.kind === "webhook" ? this.#checked(asked.url) : undefined;
    if (checked && "refusal" in checked) return { refused: "address", says: checked.refusal };
    const wanted = checked ? { kind: "webhook" as const, url: checked.url } : asked;
    const present = channelsIn(this.#sql);
    if (present.some((each) => goesWhere(each) === goesWhere(wanted))) {
      return { refused: "already-there" };
    }
    if (present.length >= mostChannels) return { refused: "too-many" };
    const secret = wanted.kind === "webhook" ? newWebhookSecret() : undefined;
    const target: ChannelTarget =
      wanted.kind === "webhook" ? { ...wanted, secret: secret ?? "" } : wanted;
    const channel: Channel = { ...target, id: crypto.randomUUID(), madeAt: this.#now(), turn };
    keepChannel(this.#sql, channel);
    return { channel: viewOfChannel(channel), ...(secret ? { secret } : {}) };
  }

  /** The first person who connects a server is told by mail, once: whoever removes that channel gets no other. */
  addFirst(wanted: Extract<WantedTarget, { kind: "mail" }>): AddedChannel | undefined {
    if (settingIn(this.#sql, "first-channel")) return;
    keepSetting(this.#sql, "first-channel", true);
    return channelsIn(this.#sql).length === 0 ? this.add(wanted, "first") : undefined;
  }

  /** Whether there is such a channel. */
  changeTurn(id: string, turn: Turn): boolean {
    const channel = this.#channel(id);
    if (channel) keepChannel(this.#sql, { ...channel, turn });
    return channel !== undefined;
  }

  /** Sends a message that says that it is a test. Undefined where there is no such channel. */
  async test(id: string): Promise<Sent | undefined> {
    const channel = this.#channel(id);
    if (!channel) return;
    const now = this.#now();
    keepChannel(this.#sql, { ...channel, testedAt: now });
    const sent = await this.sendTo(channel, {
      ...{ id: `test_${crypto.randomUUID()}`, at: now, event: "test", incidents: [] },
      workspace: toldWorkspace(this.#env, factsIn(this.#sql)),
    });
    noteSent(this.#sql, id, sent, this.#now());
    return sent;
  }

  /**
   * One try to tell a channel a message; a mail only where the workspace's budget has one left. `isOpening`: it says
   * that an incident began.
   */
  async sendTo(channel: Channel, message: Message, isOpening = false): Promise<Sent> {
    if (channel.kind !== "mail") return send(this.#env, channel, message);
    const use = message.event === "test" ? "test" : isOpening ? "opening" : "other";
    const taken = takeMail(this.#sql, channel.address, use, this.#now());
    if (!taken) {
      const reason = "The mails of this hour or day are used up.";
      return { ok: false, retry: true, reason };
    }
    const sent = await send(this.#env, channel, message);
    if (!sent.ok && !sent.isUnknown) giveMailBack(this.#sql, taken, this.#now());
    return sent;
  }

  remove(id: string): void {
    if (this.#hasTables()) removeChannel(this.#sql, id);
  }

  removePerson(person: string): void {
    if (this.#hasTables()) removePerson(this.#sql, person);
  }

  /** Mails go to members alone, and to the addresses that they have now. */
  keepToMembers(members: readonly Member[]): void {
    const { removed, changed } = keptToMembers(channelsIn(this.#sql), members, this.#now());
    for (const id of removed) removeChannel(this.#sql, id);
    for (const channel of changed) keepChannel(this.#sql, channel);
  }

  #checked(url: string) {
    const { SITE_URL = "", WEBHOOK_TEST_ORIGIN } = channelSettings(this.#env) ?? {};
    return checkWebhookAddress(url, { siteUrl: SITE_URL, testOrigin: WEBHOOK_TEST_ORIGIN });
  }

  #channel(id: string): Channel | undefined {
    return this.#hasTables() ? channelsIn(this.#sql).find((each) => each.id === id) : undefined;
  }
}

/** The same for two channels that would tell the same people. */
function goesWhere(target: WantedTarget): string {
  switch (target.kind) {
    case "mail":
      return `mail ${target.address.toLowerCase()}`;
    case "pagerduty":
      return `pagerduty ${target.routingKey}`;
    case "webhook":
      return `webhook ${target.url}`;
  }
}
