import type { Cause, IncidentEvent, Severity } from "../incidents/incident";

/** Where people are told. A secret of it stays in the fleet's object and is sent to its target alone. */
export type ChannelTarget =
  /** `person`: the id of the account of a member; whoever is no member any more is told nothing. */
  | { kind: "mail"; person: string; address: string }
  | { kind: "pagerduty"; routingKey: string }
  /** Standard Webhooks: `secret` begins with whsec_. */
  | { kind: "webhook"; url: string; secret: string };

/** What people call each kind. */
export const channelKinds = {
  mail: "mail",
  pagerduty: "PagerDuty",
  webhook: "webhook",
} as const satisfies Record<ChannelTarget["kind"], string>;

export type Channel = ChannelTarget & {
  id: string;
  madeAt: number;
  /** `first` is told at once, `second` where nobody has acknowledged an incident for ten minutes. */
  turn: "first" | "second";
  testedAt?: number;
  /** The last message that was given up, until one arrives again. `isOver`: its target wants nothing any more. */
  failed?: { at: number; reason: string; isOver?: true };
};

/** An incident as a message says it. */
export type ToldIncident = {
  id: string;
  server: { id: string; name: string };
  severity: Severity;
  openedAt: number;
  /** Since when nothing that pages has lasted; something that only tells may. */
  closedAt?: number;
  /** Where it ended because nobody watches its server any more, and not because that is well. */
  unwatched?: "disconnected" | "paused";
  causes: readonly Cause[];
  /** How many changes a sum stands for. */
  changes?: number;
};

/**
 * What is sent to a channel. Its id is the same at every try, so that whoever gets it twice can tell. `incidents` has
 * one for each event, several in a sum or a digest, and none in a test.
 */
export type Message = {
  id: string;
  at: number;
  event: IncidentEvent | "sum" | "digest" | "test" | "channel-failed";
  incidents: readonly ToldIncident[];
  /** Of `channel-failed`: which channel does not work, and why. */
  failed?: { kind: Channel["kind"]; reason: string };
  /** The workspace's name, and the address of its pages in the console. */
  workspace: { name: string; address: string };
};

/**
 * What became of one try. One with `retry` is worth trying again for 24 hours; without it the message never arrives.
 * With `isOver` the target wants no message any more. `isUnknown`: it may have arrived, but no answer did. `reason` is a sentence without an address, a key or a path.
 */
export type Sent =
  | { ok: true }
  | { ok: false; retry: boolean; isOver?: true; isUnknown?: true; reason: string };
