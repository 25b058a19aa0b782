import type { Channel, Sent } from "~/features/servers/notifications/channel";
import { type StoredRow, storedRecords } from "../storage/stored-records.server";

/** More channels would be more work at each incident than one message each is worth. */
export const mostChannels = 10;

/** The channels of a workspace, the oldest first. */
export function channelsIn(sql: SqlStorage): Channel[] {
  const rows = sql.exec<StoredRow>("select id, record from channels");
  return storedRecords<Channel>(sql, "channels", rows).sort(
    (one, other) => one.madeAt - other.madeAt || one.id.localeCompare(other.id),
  );
}

export function keepChannel(sql: SqlStorage, channel: Channel): void {
  sql.exec(
    "insert into channels (id, record) values (?, ?) on conflict do update set record = excluded.record",
    ...[channel.id, JSON.stringify(channel)],
  );
}

export function removeChannel(sql: SqlStorage, id: string): void {
  sql.exec("delete from channels where id = ?", id);
}

/** Removes every channel to a person, who is no member any more. */
export function removePerson(sql: SqlStorage, person: string): void {
  for (const channel of channelsIn(sql)) {
    if (channel.kind === "mail" && channel.person === person) removeChannel(sql, channel.id);
  }
}

/** Notes that a message arrived, or was given up and why. A channel that was removed meanwhile stays away. */
export function noteSent(sql: SqlStorage, id: string, sent: Sent, now: number): void {
  const channel = channelsIn(sql).find((each) => each.id === id);
  if (!channel) return;
  const { failed, ...rest } = channel;
  if (!sent.ok) {
    const { reason, isOver = failed?.isOver } = sent;
    keepChannel(sql, { ...rest, failed: { at: now, reason, ...(isOver ? { isOver } : {}) } });
  } else if (failed) keepChannel(sql, rest);
}
