import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Incident, isPaging } from "../incidents/incident";
import type { Notification } from "../incidents/step";
import { withStoredSeverities } from "../incidents/stored-incident";
import type { ServerPlace } from "../state/server-place";
import { checkEveryMs } from "../storage/alarms.server";
import {
  type Channel,
  isPager,
  type Message,
  type MessageIncident,
  type SpecialEvent,
} from "./channel";
import { covers } from "./channel-limits";

// What a delivery says when it is tried. A message is made anew before each try, from the incidents as they are then.

const minute = 60_000;

/** What a message says of one incident; `changes`: how many a rollup stands for. */
export type Item = {
  incident: string;
  event: Notification["event"];
  changes?: number;
  /** The server was down when it happened. */
  isDown?: true;
};

/** A message for one channel that is to be sent, or to be tried again. Times in milliseconds since 1970. */
export type Delivery = {
  /** Of the message, and the same at every try of it. */
  id: string;
  channel: string;
  /** `notification`: what happened to the incidents of its items. */
  kind: "notification" | SpecialEvent;
  /** Of a notification and a digest. */
  items: readonly Item[];
  failed?: Message["failed"];
  server?: Message["server"];
  paused?: Message["paused"];
  connectionTest?: Message["connectionTest"];
  due: number;
  /** When it was first due: after 24 hours it is given up. */
  from: number;
  tries: number;
  tried?: Tried;
};

/**
 * Of the message as it was tried last: its id and time, and the SHA-256 of what it says. The whole one of hundreds of
 * servers would be larger than a row may be.
 */
export type Tried = Pick<Message, "id" | "at"> & { saying: string };

export const isDown = ({ causes }: Incident): boolean =>
  causes.some(({ code, endedAt }) => code === "down" && endedAt === undefined);

/**
 * An incident as it is now, the name of its server or cluster, and the end of the server's maintenance window. `unwatched`: why nobody watches the
 * server any more.
 */
export type CurrentIncident = {
  incident: Incident;
  name: string;
  maintenanceUntil?: number | undefined;
  /** Of the server. */
  deployment?: string | undefined;
  unwatched?: MessageIncident["unwatched"];
  place?: ServerPlace;
};

/** What becomes of an item before a try: `send` with the incident as it is now, wait, or nothing where it no longer holds. */
type Judged = { send: MessageIncident; event: Notification["event"] } | { until: number } | "drop";

/**
 * The present counts: an opening of what is over is never sent, nor an end whose opening the channel never got. `isAgain`:
 * the message was tried before, and says the same event.
 */
export function judgeItem(
  { event, changes, isDown: wasDown }: Item,
  incidentNow: CurrentIncident | undefined,
  channel: Channel,
  now: number,
  isAgain: boolean,
): Judged {
  if (!incidentNow) return "drop";
  const { incident, maintenanceUntil = 0 } = incidentNow;
  const wasPaged = incident.notifiedChannels?.[channel.id];
  if (wasPaged === undefined && !covers(channel, incidentNow.deployment)) return "drop";
  const send = {
    ...messageIncident(incidentNow, now),
    ...(changes === undefined ? {} : { changes }),
  };
  if (!isPaging(incident)) {
    // One mail names all that are paused, also those with which nothing was wrong.
    if (incidentNow.unwatched === "paused" && channel.kind === "mail") return "drop";
    // It goes on in another incident: only what has one of its own must learn that this one is over.
    if (incident.closedAs === "moved" && !isPager(channel)) return "drop";
    // A rollup goes also to a channel that knows of the end: it came back meanwhile, and is over once more.
    const isSent =
      event === "rollup" ? wasPaged !== undefined : event === "closed" && wasPaged === true;
    return isSent ? { send, event } : "drop";
  }
  if (event === "acknowledged") {
    return incident.acknowledged && wasPaged ? { send, event } : "drop";
  }
  if (event === "closed" || (incident.snoozedUntil ?? 0) > now) return "drop";
  const isUnwanted = channel.turn === "second" || event === "repeated";
  if (incident.acknowledged && isUnwanted) return "drop";
  if (event === "repeated" && (maintenanceUntil > now || incident.calmSince !== undefined)) {
    return "drop";
  }
  if (maintenanceUntil > now) return { until: maintenanceUntil };
  // No cause has the severity page now. The incident may close in five minutes, so the message waits until one has.
  if (incident.calmSince !== undefined) return { until: now + minute };
  // It got worse by a silence that is over, or was an ingest outage. The other causes that page were sent, and may last for weeks.
  const isOver = event === "worse" && wasDown && wasPaged && !isDown(incident);
  if (isOver) return { until: now + checkEveryMs };
  if (isAgain || event === "rollup") return { send, event };
  return { send, event: wasPaged === undefined ? "opened" : wasPaged ? event : "reopened" };
}

/** An item of a digest is sent while it lasts, has the severity notify and is not muted. */
export function judgeDigest(incidentNow: CurrentIncident | undefined, now: number): Judged {
  if (!incidentNow) return "drop";
  const { incident, maintenanceUntil = 0 } = incidentNow;
  const isQuiet = Math.max(incident.snoozedUntil ?? 0, maintenanceUntil) > now;
  if (incident.closedAt !== undefined || isPaging(incident) || isQuiet) return "drop";
  return { send: messageIncident(incidentNow, now, false), event: "rollup" };
}

/** In a message that is sent at once an incident is over when it no longer pages, though causes with notify may last. */
export function messageIncident(
  { incident, name, unwatched, place }: CurrentIncident,
  now: number,
  isSentAtOnce = true,
): MessageIncident {
  const { id, server, severity, closedAt, calmSince, pagesSince, acknowledged } = incident;
  const isCluster = incident.isCluster ? { isCluster: true as const } : {};
  const over = isSentAtOnce && !isPaging(incident) ? (closedAt ?? calmSince ?? now) : undefined;
  const openedAt = isSentAtOnce ? (pagesSince ?? incident.openedAt) : incident.openedAt;
  // Causes that ended before it paged this time were sent then.
  const causes = incident.causes.filter(
    ({ endedAt }) => endedAt === undefined || endedAt >= openedAt,
  );
  return {
    ...{ id, server: { id: server, name, ...isCluster }, severity, openedAt, causes },
    ...(acknowledged ? { acknowledged } : {}),
    ...(over === undefined ? {} : { closedAt: over, ...(unwatched ? { unwatched } : {}) }),
    ...(place ? { place } : {}),
  };
}

/** Items of one incident become one, which says the last event, or the rollup of all where one is a rollup. */
export function mergedItems(items: readonly Item[]): Item[] {
  return [...Map.groupBy(items, ({ incident }) => incident).values()].map((all) => {
    const events = all.filter(({ event }) => event !== "repeated");
    const same = events.length > 0 ? events : all;
    const last = same.at(-1);
    const [first] = same;
    if (!first || !last || same.length === 1) return first ?? { incident: "", event: "rollup" };
    const rollups = same.filter(({ event }) => event === "rollup");
    if (rollups.length === 0) {
      const { isDown: _, ...rest } = last;
      return same.every((each) => each.isDown) ? last : rest;
    }
    const changes = same.reduce((sum, each) => sum + (each.changes ?? 1), 0);
    return { incident: first.incident, event: "rollup", changes };
  });
}

/** The event of a message that says several things is a rollup. */
export function eventOf(events: readonly Notification["event"][]): Notification["event"] {
  const [first = "rollup", ...others] = events;
  return others.length === 0 ? first : "rollup";
}

/**
 * The message of a delivery, and what is kept of it: it has the id and time of the try before while it says the same, so
 * that a receiver can drop duplicates. Where the server is and who is in calls there makes no other message of it.
 */
export function messageOf(
  { id, tried, tries }: Pick<Delivery, "id" | "tried" | "tries">,
  content: Omit<Message, "id" | "at" | "acknowledgeAddress">,
  now: number,
): { message: Message; tried: Tried } {
  const incidents = content.incidents.map(({ place: _, ...incident }) =>
    withStoredSeverities(incident),
  );
  const compared = [hashedEvent(content.event), incidents];
  const saying = bytesToHex(sha256(utf8ToBytes(JSON.stringify(compared))));
  const isSame = tried?.saying === saying;
  const thisTry = isSame ? tried : { id: tried ? `${id}-${tries}` : id, at: now, saying };
  return { message: { id: thisTry.id, at: thisTry.at, ...content }, tried: thisTry };
}

/** What a delivery says now. `waiting`: those of its items of which nothing may be said yet, and until when. */
export type CurrentMessage = {
  items: Item[];
  incidents: MessageIncident[];
  waiting: { items: Item[]; until: number } | undefined;
};

/** `present` finds the incident of an item as it is now. */
export function currentMessage(
  { kind, items, tried }: Delivery,
  channel: Channel,
  now: number,
  incidentNow: (item: Item) => CurrentIncident | undefined,
): CurrentMessage {
  const current: CurrentMessage = { items: [], incidents: [], waiting: undefined };
  for (const item of items) {
    const present = incidentNow(item);
    const isItsDigest = covers(channel, present?.deployment);
    const judged =
      kind === "digest"
        ? judgeDigest(isItsDigest ? present : undefined, now)
        : judgeItem(item, present, channel, now, tried !== undefined);
    if (judged === "drop") continue;
    if ("until" in judged) {
      const { items: others, until } = current.waiting ?? { items: [], until: judged.until };
      current.waiting = { items: [...others, item], until: Math.min(until, judged.until) };
    } else {
      current.items.push({ ...item, event: judged.event });
      current.incidents.push(judged.send);
    }
  }
  return current;
}

/** The event as the hash of a message in a row has it, so that it fits a message of before. */
const hashedEvent = (event: Message["event"]): string => (event === "rollup" ? "sum" : event);
