import { type Incident, isPaging } from "../incidents/incident";
import type { Notification } from "../incidents/step";
import { heldMs } from "../state/state";
import { type StoredRow, storedRecords } from "../storage/tables.server";
import type { Channel, Sent } from "./channel";
import { type Delivery, type Item, isDown } from "./current-message";

// When a delivery is due, how a failed one is retried, and the table of those that wait.

const minute = 60_000;
/** Second channels are notified where nobody acknowledged within this time. */
const secondAfterMs = 10 * minute;
/** How long each retry waits after the try before; the last for all that follow. */
const retryWaits = [0.5, 1, 2, 5, 10, 20, 30, 60].map((minutes) => minutes * minute);
/** A target may ask for a wait, but not for one that hides a server that is down. */
const maxWantedMs = 60 * minute;
const givenUpAfterMs = 24 * 60 * minute;

/** Whether a delivery has waited for so long that it is not retried. */
export const isGivenUp = ({ from }: Pick<Delivery, "from">, at: number): boolean =>
  at - from > givenUpAfterMs;

/** For how long the next try waits after so many. `wantedMs`: the target wants none for so long. */
export function waitAfter(tries: number, wantedMs = 0): number {
  const wait = retryWaits[Math.min(tries, retryWaits.length - 1)] ?? minute;
  return Math.max(wait, Math.min(wantedMs, maxWantedMs));
}

/** What became of a try at which something of ours threw. */
export const ourFault = {
  ok: false,
  retry: false,
  reason: "It was not sent, by a fault of ours.",
} as const satisfies Sent;

/** The delivery as it is tried next; undefined where it is given up. `wantedMs`: the target wants no try for so long. */
export function afterFailure(delivery: Delivery, now: number, wantedMs = 0): Delivery | undefined {
  const due = now + waitAfter(delivery.tries, wantedMs);
  if (isGivenUp(delivery, due)) return;
  return { ...delivery, tries: delivery.tries + 1, due };
}

/** A notification of an incident as deliveries: one to each channel, due at that channel's time. */
export function deliveriesOf(
  incident: Incident,
  { event, ...changes }: Notification,
  channels: readonly Channel[],
  now: number,
  newId: () => string,
): Delivery[] {
  const down = isPaging(incident) && isDown(incident) ? { isDown: true as const } : {};
  return channels
    .filter((channel) => event !== "acknowledged" || callsOn(channel, incident))
    .map((channel) => {
      const isLater = event === "repeated" || event === "acknowledged";
      const due = now + (isLater ? 0 : waitOf(incident, channel));
      return {
        ...{ id: newId(), channel: channel.id, kind: "notification", due, from: due, tries: 0 },
        items: [{ incident: incident.id, event, ...changes, ...down }],
      };
    });
}

/**
 * What is sent of an open incident to a channel that was added meanwhile: at once, but to a second channel no sooner than
 * the others would have got it.
 */
export function openingFor(
  channel: Channel,
  incident: Incident,
  now: number,
  newId: () => string,
): Delivery | undefined {
  const { acknowledged, notifiedAt, pageSent, pagesSince = now } = incident;
  if (!isPaging(incident) || acknowledged || notifiedAt === undefined || !pageSent) return;
  const [delivery] = deliveriesOf(incident, { event: "opened" }, [channel], pagesSince, newId);
  const due = Math.max(now, delivery?.due ?? now);
  return delivery && { ...delivery, due, from: due };
}

/** Machines that call people learn that somebody acknowledged, but for the one that said so; people see it on pages. */
const callsOn = ({ id, kind }: Channel, { acknowledged }: Incident): boolean =>
  kind !== "mail" && id !== acknowledged?.by;

/**
 * The page about a server that is down is held until an ingest outage is judged: the server reports nothing, so nothing
 * newer is delayed by that. Its end is sent at once.
 */
function waitOf(incident: Incident, { turn }: Channel): number {
  if (!isPaging(incident)) return 0;
  if (turn === "second") return secondAfterMs;
  return isDown(incident) ? heldMs : 0;
}

/**
 * A delivery as it is stored: under former names, because the Worker of the release before reads the rows too. What that
 * one does not know is stored as `closed`, which it does not send while an incident pages; `says` has the event.
 */
type StoredDelivery = Omit<Delivery, "kind" | "items"> & {
  kind: Exclude<Delivery["kind"], "notification"> | "told";
  items: readonly StoredItem[];
};
type StoredItem = Omit<Item, "event"> & {
  event: Exclude<Item["event"], "rollup" | LaterEvent> | "sum";
  says?: LaterEvent;
};
type LaterEvent = "repeated" | "acknowledged";

export function toStored(delivery: Delivery): StoredDelivery {
  const { kind, items } = delivery;
  return {
    ...delivery,
    kind: kind === "notification" ? "told" : kind,
    items: items.map(storedItem),
  };
}

function storedItem({ event, ...item }: Item): StoredItem {
  if (event === "repeated" || event === "acknowledged") {
    return { ...item, event: "closed", says: event };
  }
  return { ...item, event: event === "rollup" ? "sum" : event };
}

export function fromStored(stored: StoredDelivery): Delivery {
  const { kind, items } = stored;
  return {
    ...stored,
    kind: kind === "told" ? "notification" : kind,
    items: items.map(({ event, says, ...item }) => ({
      ...item,
      event: says ?? (event === "sum" ? "rollup" : event),
    })),
  };
}

/**
 * Those whose time has come, the oldest first; results of tests, of which strangers' browsers may send many, after all
 * that is about servers. One that cannot be read is removed: it would stay due, and the alarm
 * would come again at once for ever.
 */
export function dueDeliveries(sql: SqlStorage, now: number): Delivery[] {
  const rows = sql
    .exec<StoredRow>("select id, record from deliveries where due <= ?", now)
    .toArray();
  const deliveries = storedRecords(sql, "deliveries", rows, fromStored);
  const read = new Set(deliveries.map(({ id }) => id));
  for (const { id } of rows) if (!read.has(id)) removeDelivery(sql, id);
  const rank = ({ kind }: Delivery) => Number(kind === "connection-test");
  return deliveries.sort(
    (one, other) =>
      rank(one) - rank(other) || one.from - other.from || one.id.localeCompare(other.id),
  );
}

export function saveDelivery(sql: SqlStorage, delivery: Delivery): void {
  const { id, due } = delivery;
  sql.exec(
    `insert into deliveries (id, due, record) values (?, ?, ?)
     on conflict do update set due = excluded.due, record = excluded.record`,
    ...[id, due, JSON.stringify(toStored(delivery))],
  );
}

/** The channels to which something of an incident is to be sent. */
export function channelsWaiting(sql: SqlStorage, { id }: Pick<Incident, "id">): string[] {
  const rows = sql.exec<StoredRow>(
    "select id, record from deliveries where instr(record, ?) > 0",
    id,
  );
  return storedRecords(sql, "deliveries", rows, fromStored).map(({ channel }) => channel);
}

/** Does nothing where it was removed meanwhile. */
export function postponeDelivery(sql: SqlStorage, id: string, due: number): void {
  sql.exec("update deliveries set due = ? where id = ?", due, id);
}

export function removeDelivery(sql: SqlStorage, id: string): void {
  sql.exec("delete from deliveries where id = ?", id);
}

/** When the next one is due; undefined where none is waiting. */
export function nextDelivery(sql: SqlStorage): number | undefined {
  const { due } = sql.exec<{ due: number | null }>("select min(due) as due from deliveries").one();
  return due ?? undefined;
}
