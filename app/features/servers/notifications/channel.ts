import type { ConnectionTestReport } from "~/features/deployments/embedded-test/report";
import type { Hours } from "../hours";
import type { Acknowledgement, Cause, Severity } from "../incidents/incident";
import type { Notification } from "../incidents/step";
import type { ServerPlace } from "../state/server-place";
import type { PausedServers } from "../state/suspension.server";
import type { ChannelLimits } from "./channel-limits";

/** Where notifications are sent. A secret of it stays in the fleet's object and is sent to its target alone. */
export type ChannelTarget =
  /** `person`: the id of the account of a member; a former member gets no notification. */
  | { kind: "mail"; person: string; address: string }
  /** `webhookSecret`: what PagerDuty signs with, where people let it acknowledge; `heardAt`: when something so signed came. */
  | { kind: "pagerduty"; routingKey: string; webhookSecret?: string; heardAt?: number }
  /** Standard Webhooks: `secret` begins with whsec_. */
  | { kind: "webhook"; url: string; secret: string }
  /** `fields`: what its form asks for, as the service's module checked it. `place`: what lists call it, without a secret. */
  | { kind: ServiceKind; fields: ServiceFields; place: string };

/** The services whose modules have one shape: senders/service.server.ts. */
export const serviceKinds = [
  "slack",
  "teams",
  "discord",
  "telegram",
  "ntfy",
  "opsgenie",
  "push",
] as const;
export type ServiceKind = (typeof serviceKinds)[number];

/** What a form of a service may ask for, by its name; `name` is what the team calls the channel. */
export const serviceFieldNames = [
  ...(["url", "token", "chat", "key", "region", "name"] as const),
  // Of a browser's subscription.
  ...(["p256dh", "auth"] as const),
];
export type ServiceFields = Partial<Record<(typeof serviceFieldNames)[number], string>>;

export const isServiceKind = (kind: unknown): kind is ServiceKind =>
  serviceKinds.some((each) => each === kind);

/** What people call each kind. */
export const channelKinds = {
  mail: "mail",
  pagerduty: "PagerDuty",
  webhook: "webhook",
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
  telegram: "Telegram",
  ntfy: "ntfy",
  opsgenie: "Opsgenie",
  push: "push",
} as const satisfies Record<ChannelTarget["kind"], string>;

/** Whether it opens and closes incidents of its own, so that it must learn every end and wakes somebody with each message. */
export const isPager = ({ kind }: Pick<ChannelTarget, "kind">): boolean =>
  kind === "pagerduty" || kind === "opsgenie";

export type Channel = ChannelTarget & {
  id: string;
  madeAt: number;
  /** The account of the member who added it. Channels from before this was recorded have none. */
  addedBy?: string | undefined;
  limits?: ChannelLimits | undefined;
  /** `first` is notified at once, `second` where nobody has acknowledged an incident for ten minutes. */
  turn: "first" | "second";
  /** In them waits what wakes nobody. */
  quiet?: Hours;
  testedAt?: number;
  /** The last message that was given up, until one arrives again. `isOver`: its target wants nothing any more. */
  failed?: { at: number; reason: string; isOver?: true };
};

/** An incident as a message says it. */
export type MessageIncident = {
  id: string;
  /** `isCluster`: it is one of several machines, and its id is its deployment's. */
  server: { id: string; name: string; isCluster?: true };
  severity: Severity;
  openedAt: number;
  /** When the last cause with the severity page ended; those with notify may last. */
  closedAt?: number;
  /** Where it ended because nobody watches its server any more, and not because that is well. */
  unwatched?: "disconnected" | "paused";
  causes: readonly Cause[];
  /** How many changes a sum stands for. */
  changes?: number;
  acknowledged?: Acknowledgement;
  /** Of one that pages: the page on which the recipient of this message acknowledges or snoozes it, without a sign-in. */
  acknowledgeAddress?: string;
  place?: ServerPlace;
};

/** What is sent without an incident; a digest names those with the severity notify. */
export type SpecialEvent =
  | "digest"
  | "test"
  | "channel-failed"
  | "disconnected"
  | "paused"
  | "connection-test";

/**
 * What is sent to a channel. Its id is the same at every try, so that a receiver can drop duplicates. `incidents` has
 * one for each event, several in a sum or a digest, and none in a test.
 */
export type Message = {
  id: string;
  at: number;
  event: Notification["event"] | SpecialEvent;
  incidents: readonly MessageIncident[];
  /** Where something of it pages: the page on which one press acknowledges all of that. Another one in each message. */
  acknowledgeAddress?: string;
  /** Of `channel-failed`: which channel does not work, and why. `ended`: it was removed with the member who added it. */
  failed?: { kind: Channel["kind"]; reason: string; ended?: true };
  /** Of `disconnected`: the server that nobody watches any more, because its machine said so. */
  server?: MessageIncident["server"];
  /** Of `paused`. */
  paused?: PausedServers;
  /** Of `connection-test`: what a test in the customer's own page found. Only a webhook gets it. */
  connectionTest?: ConnectionTestReport;
  /** The workspace's name, and the address of its pages in the console. */
  workspace: { name: string; address: string };
};

/**
 * What became of one try. One with `retry` is worth trying again for 24 hours; without it the message never arrives.
 * With `isOver` the target wants no message any more. `isUnknown`: it may have arrived, but no answer did. `waitMs`: for so
 * long the target wants no other try. `reason` is a sentence without an address, a key or a path.
 */
export type Sent =
  | { ok: true }
  | { ok: false; retry: boolean; isOver?: true; isUnknown?: true; waitMs?: number; reason: string };

/** A channel as the site shows it: whom it reaches, without a secret and without the path of an address. */
export type ChannelView = Pick<
  Channel,
  "id" | "turn" | "madeAt" | "addedBy" | "limits" | "quiet" | "testedAt" | "failed"
> & {
  /** The turn that the rota gives it now, in the place of its own. */
  turnNow?: Turn;
} & (
    | { kind: "mail"; person: string; address: string }
    /**
     * `ending`: the last four characters of the routing key. `answers`: whether a secret of PagerDuty's webhooks is set;
     * `answerPath`: where they go, which a servers Worker of before does not say.
     */
    | {
        kind: "pagerduty";
        ending: string;
        answers?: true;
        heardAt?: number | undefined;
        answerPath?: string;
      }
    | { kind: "webhook"; host: string }
    | { kind: ServiceKind; place: string }
  );

export type Turn = Channel["turn"];

/** A channel as a person adds it. The secret of a webhook is made by the fleet. */
export type ChannelRequest =
  | Extract<ChannelTarget, { kind: "mail" | "pagerduty" }>
  | Omit<Extract<ChannelTarget, { kind: "webhook" }>, "secret">;

/** A channel at a service as a person typed it: the fleet checks the fields. */
export type ServiceRequest = {
  kind: ServiceKind;
  fields: ServiceFields;
  turn: Turn;
  /** The account of the member who adds it. */
  addedBy: string;
  limits?: ChannelLimits | undefined;
};

/** `secret` is that of a new webhook, which is shown only in this answer. */
export type AddedChannel =
  | { channel: ChannelView; secret?: string }
  | { refused: "too-many" | "already-there" | "not-connected" }
  /** Nothing is sent to this address, and why. */
  | { refused: "address"; says: string };

export function viewOfChannel(channel: Channel): ChannelView {
  const { id, turn, madeAt, addedBy, limits, quiet, testedAt, failed } = channel;
  const common = {
    ...{ id, turn, madeAt, addedBy, limits, testedAt, failed },
    ...(quiet ? { quiet } : {}),
  };
  switch (channel.kind) {
    case "mail":
      return { ...common, kind: "mail", person: channel.person, address: channel.address };
    case "pagerduty":
      return {
        ...{ ...common, kind: "pagerduty", ending: channel.routingKey.slice(-4) },
        ...(channel.webhookSecret ? { answers: true as const, heardAt: channel.heardAt } : {}),
      };
    case "webhook":
      return { ...common, kind: "webhook", host: new URL(channel.url).host };
    default:
      return { ...common, kind: channel.kind, place: channel.place };
  }
}

/** Whom a channel reaches, as its title says it. */
type Titled =
  | Pick<Extract<ChannelView, { kind: "mail" }>, "kind" | "address">
  | Pick<Extract<ChannelView, { kind: "pagerduty" }>, "kind" | "ending">
  | Pick<Extract<ChannelView, { kind: "webhook" }>, "kind" | "host">
  | Pick<Extract<ChannelView, { kind: ServiceKind }>, "kind" | "place">;

/** An address of which a reader learns whose domain it is, and not whose it is. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, Math.min(2, at))}…${address.slice(at)}`;
}

/** What a channel is called. It holds no secret; an address is whole only where `isWhole`. */
export function channelTitle(channel: Titled, isWhole: boolean): string {
  switch (channel.kind) {
    case "mail":
      return `Mail to ${isWhole ? channel.address : maskedAddress(channel.address)}`;
    case "pagerduty":
      return `PagerDuty, key …${channel.ending}`;
    case "webhook":
      return `Webhook at ${channel.host}`;
    case "push":
      return `Push to ${channel.place}`;
    default:
      // A servers Worker of later may have kinds that are not known here.
      return `${channelKinds[channel.kind] ?? "A channel"}, ${channel.place}`;
  }
}

/**
 * The channels that end with somebody's membership: those to themselves, and what they alone know the secret of. A mail
 * that they added for another member stays.
 */
export function channelsOfMember<View extends Pick<ChannelView, "kind" | "addedBy">>(
  channels: readonly View[],
  person: string,
): View[] {
  return channels.filter((each) =>
    each.kind === "mail" ? "person" in each && each.person === person : each.addedBy === person,
  );
}

/** The turns of channels in words of the audit log. */
export const turnAuditWords = { first: "at once", second: "after ten minutes" } as const;

/** The turns of channels in words of the screens. */
export const turnWords = {
  first: "Told at once",
  second: "Told when nobody has acknowledged for ten minutes",
} as const;

/** What is wrong with all channels together: a message that nobody gets wakes nobody. */
export function channelWarning(channels: readonly ChannelView[]): string | undefined {
  const open = channels.filter(({ failed }) => !failed?.isOver);
  if (open.length === 0) return "Nobody is told when a server is down. Add a channel.";
  const working = open.filter(({ failed }) => !failed);
  if (working.length === 0) {
    return "The last message arrived at no channel. Nobody may learn that a server is down. Send a test, or add a channel.";
  }
  if (!open.some(({ turn, turnNow = turn }) => turnNow === "first")) {
    return "Nobody is told at once: every channel waits ten minutes.";
  }
  if (open.every(({ limits }) => limits?.deployments)) {
    return "Every channel is told of some deployments alone: nobody is told of the others.";
  }
  if (working.length > 1) return;
  return open.length === 1
    ? "Only one channel is told. If that message does not arrive, nobody learns that a server is down. Add a second person."
    : "Only one channel works. If a message does not arrive there, nobody learns that a server is down.";
}
