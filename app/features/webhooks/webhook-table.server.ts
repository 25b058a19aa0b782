import type { DeliveryView, WebhookNotice, WorkspaceWebhook } from "./webhook";

// What the object of a workspace's webhooks has. `number`: the place of an event in the order of the audit log.
const tables = `
  create table if not exists webhooks (id text primary key, record text not null) without rowid;
  create table if not exists deliveries (
    webhook text not null, event text not null, number integer not null, type text not null, at integer not null,
    body text not null, due integer, tries integer not null, tried integer, reason text, primary key (webhook, event)
  ) without rowid;
  create index if not exists deliveries_in_order on deliveries (webhook, number);
  create table if not exists notices (id text primary key, record text not null) without rowid;`;

export const prepareTables = (sql: SqlStorage): void => void sql.exec(tables);

export const hasTables = (sql: SqlStorage): boolean =>
  sql.exec("select 1 from sqlite_master where name = 'webhooks'").toArray().length > 0;

/** So many events that arrived or were given up are listed, and can be sent again. */
const listed = 50;

type Row = { id: string; record: string };

export function webhooksIn(sql: SqlStorage): WorkspaceWebhook[] {
  const rows = sql.exec<Row>("select id, record from webhooks").toArray();
  return rows
    .map(({ record }): WorkspaceWebhook => JSON.parse(record))
    .toSorted((one, other) => one.madeAt - other.madeAt || one.id.localeCompare(other.id));
}

export function saveWebhook(sql: SqlStorage, webhook: WorkspaceWebhook): void {
  sql.exec(
    "insert into webhooks (id, record) values (?, ?) on conflict do update set record = excluded.record",
    ...[webhook.id, JSON.stringify(webhook)],
  );
}

export function removeWebhook(sql: SqlStorage, id: string): void {
  sql.exec("delete from deliveries where webhook = ?", id);
  sql.exec("delete from webhooks where id = ?", id);
}

/** An event for one webhook. `due` is null once it arrived or was given up; `reason` then says why it did not. */
export type Delivery = {
  webhook: string;
  event: string;
  number: number;
  type: string;
  at: number;
  body: string;
  due: number | null;
  tries: number;
  tried: number | null;
  reason: string | null;
};

/** One that is there already stays as it is. */
export function addDelivery(sql: SqlStorage, delivery: Delivery): void {
  const { webhook, event, number, type, at, body, due, tries, tried, reason } = delivery;
  sql.exec(
    `insert into deliveries (webhook, event, number, type, at, body, due, tries, tried, reason)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    ...[webhook, event, number, type, at, body, due, tries, tried, reason],
  );
}

/** What a try came to. One that was removed meanwhile stays away. */
export function saveTry(
  sql: SqlStorage,
  { webhook, event, due, tries, tried, reason }: Omit<Delivery, "number" | "type" | "at" | "body">,
): void {
  sql.exec(
    "update deliveries set due = ?, tries = ?, tried = ?, reason = ? where webhook = ? and event = ?",
    ...[due, tries, tried, reason, webhook, event],
  );
}

/** In the order of the audit log. */
export const dueDeliveries = (
  sql: SqlStorage,
  webhook: string,
  now: number,
  atMost: number,
): Delivery[] =>
  sql
    .exec<Delivery>(
      "select * from deliveries where webhook = ? and due <= ? order by number, event limit ?",
      ...[webhook, now, atMost],
    )
    .toArray();

export function nextDue(sql: SqlStorage, webhook: string): number | undefined {
  const [next] = sql
    .exec<{ due: number | null }>(
      "select min(due) as due from deliveries where webhook = ?",
      webhook,
    )
    .toArray();
  return next?.due ?? undefined;
}

/** What waits for a webhook is due then; `before`: of that alone which would be due sooner. */
export function moveDue(sql: SqlStorage, webhook: string, due: number, before?: number): void {
  if (before === undefined) {
    sql.exec("update deliveries set due = ? where webhook = ? and due is not null", due, webhook);
  } else {
    sql.exec("update deliveries set due = ? where webhook = ? and due < ?", due, webhook, before);
  }
}

export const waitingFor = (sql: SqlStorage, webhook: string): number =>
  sql.exec("select 1 from deliveries where webhook = ? and due is not null", webhook).toArray()
    .length;

/** Makes an event due again. Whether it is there, and does not wait already. */
export function makeDue(sql: SqlStorage, webhook: string, event: string, now: number): boolean {
  const settled = "webhook = ? and event = ? and due is null";
  const isThere = sql.exec(`select 1 from deliveries where ${settled}`, webhook, event).toArray();
  sql.exec(`update deliveries set due = ?, tries = 0 where ${settled}`, now, webhook, event);
  return isThere.length > 0;
}

const newestFirst = "coalesce(tried, at) desc, number desc";

export const deliveriesOf = (sql: SqlStorage, webhook: string): DeliveryView[] =>
  sql
    .exec<Delivery>(
      `select * from deliveries where webhook = ? order by ${newestFirst} limit ?`,
      ...[webhook, listed],
    )
    .toArray()
    .map(deliveryView);

export function deliveryView({
  event,
  type,
  at,
  due,
  tries,
  tried,
  reason,
}: Delivery): DeliveryView {
  return {
    ...{ id: event, type, at, tries, triedAt: tried ?? undefined, reason: reason ?? undefined },
    state: due !== null ? "waiting" : reason === null ? "delivered" : "failed",
  };
}

/** Removes what arrived or was given up before the last so many of a webhook. */
export function removeOldDeliveries(sql: SqlStorage, webhook: string): void {
  sql.exec(
    `delete from deliveries where webhook = ?1 and due is null and event not in (
       select event from deliveries where webhook = ?1 and due is null order by ${newestFirst} limit ?2
     )`,
    ...[webhook, listed],
  );
}

export const noticesIn = (sql: SqlStorage): WebhookNotice[] =>
  sql
    .exec<Row>("select id, record from notices")
    .toArray()
    .map(({ record }): WebhookNotice => JSON.parse(record));

export function saveNotice(sql: SqlStorage, notice: WebhookNotice): void {
  sql.exec("insert into notices (id, record) values (?, ?)", notice.id, JSON.stringify(notice));
}

export const removeNotice = (sql: SqlStorage, id: string): void =>
  void sql.exec("delete from notices where id = ?", id);
