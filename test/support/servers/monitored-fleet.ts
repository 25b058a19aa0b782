import type { Incident } from "~/features/servers/incidents/incident.ts";
import { saveIncident } from "~/features/servers/incidents/incident-table.server.ts";
import { Monitor } from "~/features/servers/incidents/monitor.server.ts";
import type { Notification } from "~/features/servers/incidents/step.ts";
import type { Channel } from "~/features/servers/notifications/channel.ts";
import { saveChannel } from "~/features/servers/notifications/channels.server.ts";
import { NotificationQueue } from "~/features/servers/notifications/queue.server.ts";
import { IngestOutage } from "~/features/servers/state/ingest-outage.server.ts";
import { saveRecord } from "~/features/servers/state/server-table.server.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { begin, critical } from "./incident-step.ts";
import { sqliteStorage } from "./sqlite-storage.ts";

const uuid = (kind: number, at: number) =>
  `${String(kind).repeat(8)}-0000-4000-8000-${String(at).padStart(12, "0")}`;

const ada = { kind: "mail", person: "ada", address: "ada@example.com" } as const;
export const mailChannel: Channel = { ...ada, id: uuid(3, 1), madeAt: begin, turn: "first" };

/**
 * A fleet's tables in memory, with so many servers, each of which pages since the beginning and was sent to
 * `mailChannel`; what the monitor sends is noted. `clock.now` may be moved.
 */
export function monitoredFleet(count: number) {
  const clock = { now: begin };
  const sql = sqliteStorage();
  prepareTables(sql);
  const sent: [incident: string, event: Notification["event"]][] = [];
  const env = {} as ServersEnv;
  const monitor = new Monitor(sql, env, () => clock.now, {
    outage: new IngestOutage(sql, env, "fleet"),
    thresholds: () => [],
    enqueue: (incident, { event }) => sent.push([incident.id, event]),
    notifyPages: () => undefined,
  });
  saveChannel(sql, mailChannel);
  const ids = Array.from({ length: count }, (_, at) => ({
    server: uuid(1, at),
    incident: uuid(2, at),
  }));
  for (const [at, { server, incident }] of ids.entries()) {
    sql.exec(
      "insert into servers (id, number, token_hash, key_hash, record) values (?, ?, '', '', '{}')",
      ...[server, at + 1],
    );
    saveRecord(sql, {
      ...{ id: server, deployment: at === 0 ? "one" : "other", name: `sfu-${at + 1}` },
      ...{ enrolledAt: begin, keyHash: "", machine: "", instance: "", refused: [], boots: [] },
      ...{ bucket: { left: 10, at: begin }, changes: [] },
    });
    const paging: Incident = {
      ...{ id: incident, server, openedAt: begin, pagesSince: begin, severity: "page" },
      ...{ causes: [critical], notifiedCount: 1, pendingCount: 0, notifiedAt: begin },
      ...{ pageSent: true, notifiedChannels: { [mailChannel.id]: true } },
    };
    saveIncident(sql, paging);
  }
  const queue = new NotificationQueue(sql, env, () => clock.now, {
    monitor,
    workspace: uuid(9, 1),
  });
  return { sql, clock, monitor, queue, sent, ids };
}
