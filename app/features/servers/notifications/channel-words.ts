import type { ChannelView } from "./channel-view";

/** Whom a channel reaches, as its title says it. */
type Titled =
  | Pick<Extract<ChannelView, { kind: "mail" }>, "kind" | "address">
  | Pick<Extract<ChannelView, { kind: "pagerduty" }>, "kind" | "ending">
  | Pick<Extract<ChannelView, { kind: "webhook" }>, "kind" | "host">;

/** An address of which a reader learns whose domain it is, and not whose it is. */
function maskedAddress(address: string): string {
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
  }
}

/** When a channel is told, as the audit log says it. */
export const toldWords = { first: "at once", second: "after ten minutes" } as const;

/** Who is told when. */
export const turnWords = {
  first: "Told at once",
  second: "Told when nobody has acknowledged for ten minutes",
} as const;
