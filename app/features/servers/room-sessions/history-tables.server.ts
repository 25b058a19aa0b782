import { agentTables } from "../agent-sessions/agent-sessions.server";
import { evidenceTables } from "./evidence-table.server";
import type { Participant, RoomSession, SessionEnd, Track } from "./room-session";
import { withoutPrefix } from "./sid";

// What a server's History keeps. Times are milliseconds since 1970; sids are without their prefix; tracks are packed.
export const tables = `
  create table if not exists sessions (
    id integer primary key, sid text not null unique, name text not null, started integer not null,
    last integer not null, ended integer, ending text, present integer not null, peak integer not null,
    joined integer not null, aborted integer not null, stayed integer not null
  );
  create index if not exists sessions_by_start on sessions (started);
  create index if not exists sessions_by_name on sessions (name);
  create index if not exists sessions_open on sessions (id) where ended is null;
  create table if not exists participants (
    session integer, sid text, identity text not null, kind text not null, joined integer not null, left integer,
    reason text not null, flags integer not null, tracks text not null, primary key (session, sid)
  ) without rowid;
  create index if not exists participants_by_identity on participants (identity);
  create table if not exists jobs (
    id text primary key, session text not null, at integer not null, record text not null
  ) without rowid;
  create index if not exists jobs_by_session on jobs (session);
  create table if not exists days (
    day integer primary key, sessions integer not null, joined integer not null, aborted integer not null,
    stayed integer not null, peak integer not null, lost integer not null, unverified integer not null
  );
  create table if not exists settings (name text primary key, value text not null) without rowid;
  ${agentTables}
  ${evidenceTables}`;

export type SessionRow = {
  id: number;
  sid: string;
  name: string;
  started: number;
  last: number;
  ended: number | null;
  ending: SessionEnd | null;
  present: number;
  peak: number;
  joined: number;
  aborted: number;
  stayed: number;
};

export function sessionOf(row: SessionRow): RoomSession {
  return {
    ...{ sid: `RM_${row.sid}`, name: row.name, startedAt: row.started, lastAt: row.last },
    ...{ present: row.present, peak: row.peak, joined: row.joined, aborted: row.aborted },
    stayedMs: row.stayed,
    ...(row.ended === null ? {} : { endedAt: row.ended }),
    ...(row.ending === null ? {} : { end: row.ending }),
  };
}

export function saveSession(sql: SqlStorage, id: number, session: RoomSession): void {
  sql.exec(
    `insert into sessions (id, sid, name, started, last, ended, ending, present, peak, joined, aborted, stayed)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set name = excluded.name, started = excluded.started, last = excluded.last,
       ended = excluded.ended, ending = excluded.ending, present = excluded.present, peak = excluded.peak,
       joined = excluded.joined, aborted = excluded.aborted, stayed = excluded.stayed`,
    ...[id, withoutPrefix(session.sid), session.name, session.startedAt, session.lastAt],
    ...[session.endedAt ?? null, session.end ?? null, session.present, session.peak],
    ...[session.joined, session.aborted, session.stayedMs],
  );
}

export type ParticipantRow = {
  session: number;
  sid: string;
  identity: string;
  kind: string;
  joined: number;
  left: number | null;
  reason: string;
  flags: number;
  tracks: string;
};

const flags = { isAssumed: 1, isAborted: 2, isPublisher: 4 } as const;

export function participantOf(row: ParticipantRow): Participant {
  return {
    ...{ sid: `PA_${row.sid}`, identity: row.identity, kind: row.kind, joinedAt: row.joined },
    ...(row.left === null ? {} : { leftAt: row.left }),
    reason: row.reason,
    ...(row.flags & flags.isAssumed ? { isAssumed: true as const } : {}),
    ...(row.flags & flags.isAborted ? { isAborted: true as const } : {}),
    ...(row.flags & flags.isPublisher ? { isPublisher: true as const } : {}),
    tracks: unpackTracks(row.tracks, row.joined),
  };
}

export function saveParticipant(sql: SqlStorage, session: number, each: Participant): void {
  const bits =
    (each.isAssumed ? flags.isAssumed : 0) |
    (each.isAborted ? flags.isAborted : 0) |
    (each.isPublisher ? flags.isPublisher : 0);
  sql.exec(
    `insert into participants (session, sid, identity, kind, joined, left, reason, flags, tracks)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict do update set kind = excluded.kind, joined = excluded.joined, left = excluded.left,
       reason = excluded.reason, flags = excluded.flags, tracks = excluded.tracks`,
    ...[session, withoutPrefix(each.sid), each.identity, each.kind, each.joinedAt],
    ...[each.leftAt ?? null, each.reason, bits, packTracks(each.tracks, each.joinedAt)],
  );
}

/** A line for each track: its sid, source, codec, size, and seconds since the join. */
function packTracks(tracks: readonly Track[], joinedAt: number): string {
  const seconds = (at: number) => Math.round((at - joinedAt) / 1_000);
  return tracks
    .map(({ sid, source, mime, size, from, until }) =>
      [
        ...[withoutPrefix(sid), source, mime, size, seconds(from)],
        until === undefined ? "" : seconds(until),
      ].join(" "),
    )
    .join("\n");
}

function unpackTracks(text: string, joinedAt: number): Track[] {
  if (!text) return [];
  return text.split("\n").map((line) => {
    const [sid = "", source = "", mime = "", size = "", from = "", until = ""] = line.split(" ");
    return {
      ...{ sid: `TR_${sid}`, source, mime, size, from: joinedAt + Number(from) * 1_000 },
      ...(until ? { until: joinedAt + Number(until) * 1_000 } : {}),
    };
  });
}
