import type { Channel, ChannelTarget } from "./channel";

/** A channel as the site shows it: whom it reaches, without a secret and without the path of an address. */
export type ChannelView = Pick<Channel, "id" | "turn" | "madeAt" | "testedAt" | "failed"> &
  (
    | { kind: "mail"; person: string; address: string }
    /** `ending`: the last four characters of the routing key. */
    | { kind: "pagerduty"; ending: string }
    | { kind: "webhook"; host: string }
  );

export type Turn = Channel["turn"];

/** What a person asks to be told by. The secret of a webhook is made here. */
export type WantedTarget =
  | Exclude<ChannelTarget, { kind: "webhook" }>
  | Omit<Extract<ChannelTarget, { kind: "webhook" }>, "secret">;

/** `secret` is that of a new webhook, which is told this once. */
export type AddedChannel =
  | { channel: ChannelView; secret?: string }
  | { refused: "too-many" | "already-there" | "not-connected" }
  /** Nothing is sent to this address, and why. */
  | { refused: "address"; says: string };

export function viewOfChannel(channel: Channel): ChannelView {
  const { id, turn, madeAt, testedAt, failed } = channel;
  const common = { id, turn, madeAt, testedAt, failed };
  switch (channel.kind) {
    case "mail":
      return { ...common, kind: "mail", person: channel.person, address: channel.address };
    case "pagerduty":
      return { ...common, kind: "pagerduty", ending: channel.routingKey.slice(-4) };
    case "webhook":
      return { ...common, kind: "webhook", host: new URL(channel.url).host };
  }
}
