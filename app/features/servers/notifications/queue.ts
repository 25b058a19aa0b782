import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Incident, isPaging } from "../incidents/incident";
import type { Told } from "../incidents/say";
import { heldMs } from "../state/silence";
import type { Channel, Message, ToldIncident } from "./channel";
import type { Delivery, Item, Tried } from "./delivery";

const minute = 60_000;
/** The second channels are told where nobody acknowledged within this time. */
const secondAfterMs = 10 * minute;
/** As often as a fleet looks at servers that report. */
const lookAgainMs = 3 * minute;
const givenUpAfterMs = 24 * 60 * minute;
/** How long each try waits after the one before; the last for all that follow. */
const waits = [0.5, 1, 2, 5, 10, 20, 30, 60].map((minutes) => minutes * minute);

/** What is told of something that happened to an incident: a delivery to each channel, at that channel's time. */
export function deliveriesOf(
  incident: Incident,
  { event, ...told }: Told,
  channels: readonly Channel[],
  now: number,
  newId: () => string,
): Delivery[] {
  const down = isPaging(incident) && isDown(incident) ? { isDown: true as const } : {};
  return channels.map((channel) => {
    const due = now + waitOf(incident, channel);
    return {
      ...{ id: newId(), channel: channel.id, kind: "told", due, from: due, tries: 0 },
      items: [{ incident: incident.id, event, ...told, ...down }],
    };
  });
}

/**
 * What is said of a server that is down is held until our own outages are judged: it reports nothing, so that nothing
 * else is new. The end is told at once.
 */
function waitOf(incident: Incident, { turn }: Channel): number {
  if (!isPaging(incident)) return 0;
  if (turn === "second") return secondAfterMs;
  return isDown(incident) ? heldMs : 0;
}

const isDown = ({ causes }: Incident): boolean =>
  causes.some(({ code, endedAt }) => code === "down" && endedAt === undefined);

/**
 * An incident as it is now, its server's name, and until when nothing is said of that. `unwatched`: why nobody watches the
 * server any more.
 */
export type Present = {
  incident: Incident;
  name: string;
  maintenanceUntil?: number | undefined;
  unwatched?: ToldIncident["unwatched"];
};

/** What becomes of an item before a try: `send` with the incident as it is now, wait, or nothing where it no longer holds. */
type Judged = { send: ToldIncident; event: Told["event"] } | { until: number } | "drop";

/**
 * The present counts: an opening of what is over is never sent, nor an end of what the channel was never told. `isAgain`:
 * the message was tried before, and says the same event.
 */
export function judgeItem(
  { event, changes, isDown: wasDown }: Item,
  present: Present | undefined,
  channel: Channel,
  now: number,
  isAgain: boolean,
): Judged {
  if (!present) return "drop";
  const { incident, maintenanceUntil = 0 } = present;
  const heard = incident.heard?.[channel.id];
  const send = { ...toldOf(present, now), ...(changes === undefined ? {} : { changes }) };
  if (!isPaging(incident)) {
    // A sum is told also to whoever heard the end: it came back meanwhile, and is over once more.
    const isTold = event === "sum" ? heard !== undefined : event === "closed" && heard === true;
    return isTold ? { send, event } : "drop";
  }
  if (event === "closed" || (incident.snoozedUntil ?? 0) > now) return "drop";
  if (channel.turn === "second" && incident.acknowledged) return "drop";
  if (maintenanceUntil > now) return { until: maintenanceUntil };
  // Nothing that pages lasts at this moment: it may be over soon, and is not said before it is there again.
  if (incident.calmSince !== undefined) return { until: now + minute };
  // It got worse by a silence that is over, or was our fault. What else pages was said, and may last for weeks.
  const isOver = event === "worse" && wasDown && heard && !isDown(incident);
  if (isOver) return { until: now + lookAgainMs };
  if (isAgain || event === "sum") return { send, event };
  return { send, event: heard === undefined ? "opened" : heard ? event : "reopened" };
}

/** What only tells stays in a digest while it lasts. */
export function judgeDigest(present: Present | undefined, now: number): Judged {
  if (!present) return "drop";
  const { incident, maintenanceUntil = 0 } = present;
  const isQuiet = Math.max(incident.snoozedUntil ?? 0, maintenanceUntil) > now;
  if (incident.closedAt !== undefined || isPaging(incident) || isQuiet) return "drop";
  return { send: toldOf(present, now, false), event: "sum" };
}

/** What no longer pages is over for those who were told at once, though something that only tells may last. */
function toldOf({ incident, name, unwatched }: Present, now: number, isTold = true): ToldIncident {
  const { id, server, severity, closedAt, calmSince, pagesSince } = incident;
  const over = isTold && !isPaging(incident) ? (closedAt ?? calmSince ?? now) : undefined;
  const openedAt = isTold ? (pagesSince ?? incident.openedAt) : incident.openedAt;
  // What was over before it paged this time was told then.
  const causes = incident.causes.filter(
    ({ endedAt }) => endedAt === undefined || endedAt >= openedAt,
  );
  return {
    ...{ id, server: { id: server, name }, severity, openedAt, causes },
    ...(over === undefined ? {} : { closedAt: over, ...(unwatched ? { unwatched } : {}) }),
  };
}

/** Items of one incident become one, which says the last event, or the sum of all where one is a sum. */
export function folded(items: readonly Item[]): Item[] {
  return [...Map.groupBy(items, ({ incident }) => incident).values()].map((same) => {
    const last = same.at(-1);
    const [first] = same;
    if (!first || !last || same.length === 1) return first ?? { incident: "", event: "sum" };
    const sums = same.filter(({ event }) => event === "sum");
    if (sums.length === 0) {
      const { isDown: _, ...said } = last;
      return same.every((each) => each.isDown) ? last : said;
    }
    const changes = same.reduce((sum, each) => sum + (each.changes ?? 1), 0);
    return { incident: first.incident, event: "sum", changes };
  });
}

/** The event of a message that says several things is a sum. */
export function eventOf(events: readonly Told["event"][]): Told["event"] {
  const [first = "sum", ...others] = events;
  return others.length === 0 ? first : "sum";
}

/**
 * The message of a delivery, and what is kept of it: it has the id and time of the try before while it says the same, so
 * that whoever gets it twice can tell.
 */
export function messageOf(
  { id, tried, tries }: Pick<Delivery, "id" | "tried" | "tries">,
  said: Pick<Message, "event" | "incidents" | "failed" | "workspace">,
  now: number,
): { message: Message; tried: Tried } {
  const saying = bytesToHex(sha256(utf8ToBytes(JSON.stringify([said.event, said.incidents]))));
  const kept =
    tried?.saying === saying ? tried : { id: tried ? `${id}-${tries}` : id, at: now, saying };
  return { message: { id: kept.id, at: kept.at, ...said }, tried: kept };
}

/** Whether a delivery has waited for so long at a time that it is tried no more. */
export const isGivenUp = ({ from }: Delivery, at: number): boolean => at - from > givenUpAfterMs;

/** The delivery as it is tried next; undefined where it is given up. */
export function afterFailure(delivery: Delivery, now: number): Delivery | undefined {
  const wait = waits[Math.min(delivery.tries, waits.length - 1)] ?? minute;
  const due = now + wait;
  if (isGivenUp(delivery, due)) return;
  return { ...delivery, tries: delivery.tries + 1, due };
}
