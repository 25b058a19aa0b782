import { expect, test } from "vitest";
import type { Incident } from "~/features/servers/incidents/incident.ts";
import {
  livingIncidents,
  saveIncident,
} from "~/features/servers/incidents/incident-table.server.ts";
import {
  fromStored as incidentFromStored,
  toStored as storedIncident,
} from "~/features/servers/incidents/stored-incident.ts";
import { type Delivery, messageOf } from "~/features/servers/notifications/current-message.ts";
import {
  fromStored as deliveryFromStored,
  toStored as storedDelivery,
} from "~/features/servers/notifications/deliveries.server.ts";
import { fromWire, toWire } from "~/features/servers/pages/wire.ts";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import {
  fromStored as recordFromStored,
  recordIn,
  saveRecord,
  toStored as storedRecord,
} from "~/features/servers/state/server-table.server.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { begin, minute } from "../../support/servers/incident-step.ts";
import { sqliteStorage } from "../../support/servers/sqlite-storage.ts";

// What the servers Worker of commit 9c080d5e wrote. It reads such rows again after a rollback, and so do we.
const rows = {
  incident: {
    ...{
      id: "incident",
      server: "server",
      openedAt: begin,
      pagesSince: begin,
      severity: "pages" as const,
    },
    causes: [
      { code: "twice", subject: "", severity: "tells", since: begin },
      { code: "down", subject: "", severity: "pages", since: begin, endedAt: begin + minute },
    ],
    ...{ told: 4, untold: 2, toldAt: begin, toldPages: true, heard: { mail: true, pager: false } },
    ...{ snoozedUntil: begin + minute, digested: ["twice  1"] },
  },
  delivery: {
    ...{ id: "message", channel: "mail", kind: "told" as const, due: begin, from: begin, tries: 1 },
    items: [
      { incident: "incident", event: "sum", changes: 3 },
      { incident: "other", event: "opened", isDown: true },
    ],
    tried: { id: "message", at: begin, saying: "hash" },
  },
  record: {
    ...{ id: "server", deployment: "deployment", name: "sfu-1", enrolledAt: begin, keyHash: "" },
    ...{ machine: "", instance: "", refused: [], boots: [], bucket: { left: 10, at: begin } },
    ...{ changes: [], twiceAt: begin, unlookedAt: begin, fellAt: begin },
    paused: { why: "plan-limit", allowed: 1, since: begin },
  },
} as const;

const incident = {
  ...{ id: "incident", server: "server", openedAt: begin, pagesSince: begin, severity: "page" },
  causes: [
    { code: "twice", subject: "", severity: "notify", since: begin },
    { code: "down", subject: "", severity: "page", since: begin, endedAt: begin + minute },
  ],
  ...{ notifiedCount: 4, pendingCount: 2, notifiedAt: begin, pageSent: true },
  notifiedChannels: { mail: true, pager: false },
  ...{ snoozedUntil: begin + minute, digested: ["twice  1"] },
} as const satisfies Incident;

test("an incident is stored as the Worker of before stored it, and read as it was", () => {
  expect(storedIncident(incident)).toEqual(rows.incident);
  expect(incidentFromStored(rows.incident)).toEqual(incident);
});

test("a delivery is stored as the Worker of before stored it, and read as it was", () => {
  const { kind: _, items, ...rest } = rows.delivery;
  const [first, second] = items;
  const delivery: Delivery = {
    ...{ ...rest, kind: "notification" },
    items: [{ ...first, event: "rollup" }, second],
  };
  expect(storedDelivery(delivery)).toEqual(rows.delivery);
  expect(deliveryFromStored(rows.delivery)).toEqual(delivery);
});

test("a server is stored as the Worker of before stored it, and read as it was", () => {
  const { twiceAt, unlookedAt, paused, ...rest } = rows.record;
  const record: ServerRecord = {
    ...{ ...rest, refused: [], boots: [], changes: [] },
    ...{ duplicateAt: twiceAt, uncheckedAt: unlookedAt, suspension: paused },
  };
  expect(storedRecord(record)).toEqual(rows.record);
  expect(recordFromStored({ ...rows.record, refused: [], boots: [], changes: [] })).toEqual(record);
});

test("rows of the Worker of before are read, and written again as they were", () => {
  const sql = sqliteStorage();
  prepareTables(sql);
  sql.exec(
    "insert into incidents (id, server, opened, record) values ('incident', 'server', ?, ?)",
    ...[begin, JSON.stringify(rows.incident)],
  );
  sql.exec(
    "insert into servers (id, number, token_hash, key_hash, record) values ('server', 1, '', '', ?)",
    JSON.stringify(rows.record),
  );
  const [read] = livingIncidents(sql, begin);
  expect(read).toEqual(incident);
  const record = recordIn(sql, "server");
  expect(record).toMatchObject({ duplicateAt: begin, suspension: rows.record.paused });
  if (read) saveIncident(sql, read);
  if (record) saveRecord(sql, record);
  const written = (table: string) =>
    sql
      .exec<{ record: string }>(`select record from ${table}`)
      .toArray()
      .map((row) => JSON.parse(row.record));
  expect(written("incidents")).toEqual([rows.incident]);
  expect(written("servers")).toEqual([rows.record]);
});

test("the two Workers exchange states and severities under the names of before", () => {
  const { id, openedAt, severity, causes } = incident;
  const summary = { id, openedAt, severity, causes, acknowledged: undefined };
  const view = {
    state: { code: "duplicate" as const },
    incident: { ...summary, snoozedUntil: undefined },
  };
  expect(toWire(view)).toMatchObject({
    state: { code: "twice" },
    incident: { severity: "pages", causes: rows.incident.causes },
  });
  expect(fromWire(toWire(view))).toEqual(view);
});

/** The hash is that of the same message under the names of commit 9c080d5e: `sum`, `pages`. */
test("a message that the Worker of before tried keeps its id", () => {
  const workspace = { name: "Northwind", address: "https://example.com" };
  const record = {
    ...{ id: "incident", server: { id: "server", name: "sfu-1" }, severity: "page" as const },
    ...{ openedAt: begin, causes: incident.causes.slice(1) },
  };
  const content = { event: "rollup" as const, incidents: [record], workspace };
  const { tried } = messageOf({ id: "message", tries: 1 }, content, begin);
  expect(tried.saying).toBe("c3fc1cfa1219be7b0e2a3e3f6a699330c023dfc141093153439ca2780765c042");
});
