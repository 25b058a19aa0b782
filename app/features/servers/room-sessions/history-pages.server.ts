import type { AgentSession } from "../agent-sessions/agent-session";
import { agentSessionsOf } from "../agent-sessions/agent-sessions.server";
import { type DaySum, newestDays } from "./day-sums.server";
import { type FilePart, filePartSize } from "./file-part";
import {
  type ParticipantRow,
  participantOf,
  type SessionRow,
  sessionOf,
} from "./history-tables.server";
import { type Job, jobsOf } from "./job.server";
import { namePrefixes } from "./name-prefixes";
import type { Participant, RoomSession } from "./room-session";
import { withoutPrefix } from "./sid";

const dayMs = 86_400_000;

/** Which sessions: of a day, or with a room or a person whose hash or name begins so. `before`: where the page of before ended. */
export type SessionQuery = { day?: number; name?: string; before?: Cursor };
export type Cursor = { started: number; id: number };
export type SessionList = { sessions: RoomSession[]; next?: Cursor; days: DaySum[] };
/** `more`: so many participants are not among those that are shown. */
export type SessionPage = {
  session: RoomSession;
  participants: Participant[];
  more: number;
  jobs: Job[];
  agents: AgentSession[];
};
export type FileCursor = { session: number; participant: string };
/** One row for each participant. */
export type FileRow = { session: string; name: string; participant: Participant };

const pageSize = 50;
const maxParticipants = 300;

/** The newest first. */
export function sessionList(sql: SqlStorage, { day, name, before }: SessionQuery): SessionList {
  const [from, until] =
    day === undefined ? [0, Number.MAX_SAFE_INTEGER] : [day * dayMs, (day + 1) * dayMs];
  const rows = name
    ? sessionsNamed(sql, name)
        .filter(({ started }) => started >= from && started < until)
        .filter((row) => !before || isAfter(row, before))
        .slice(0, pageSize + 1)
    : sql
        .exec<SessionRow>(
          `select * from sessions where started >= ? and started < ? and (started, id) < (?, ?)
           order by started desc, id desc limit ?`,
          ...[from, until, before?.started ?? until, before?.id ?? 0, pageSize + 1],
        )
        .toArray();
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  return {
    sessions: rows.slice(0, pageSize).map(sessionOf),
    ...(last ? { next: { started: last.started, id: last.id } } : {}),
    days: newestDays(sql, 30),
  };
}

const isAfter = (row: SessionRow, { started, id }: Cursor): boolean =>
  row.started < started || (row.started === started && row.id < id);

/** More are not looked through: who has so many narrows them by a day. */
const maxNamed = 5_000;

/** Of the room, or of anybody in it, whose hash or name begins so; the newest first. */
function sessionsNamed(sql: SqlStorage, name: string): SessionRow[] {
  const prefixes = namePrefixes(name);
  const found = prefixes.map(
    () => `select id from sessions where name >= ? and name < ?
           union select session from participants where identity >= ? and identity < ?`,
  );
  return sql
    .exec<SessionRow>(
      `select * from sessions where id in (${found.join(" union ")})
       order by started desc, id desc limit ?`,
      ...prefixes.flatMap((prefix) => [prefix, `${prefix}\uffff`, prefix, `${prefix}\uffff`]),
      maxNamed,
    )
    .toArray();
}

/** Undefined where there is no such session. Participants come as they joined. */
export function sessionPage(sql: SqlStorage, sid: string): SessionPage | undefined {
  const [row] = sql
    .exec<SessionRow>("select * from sessions where sid = ?", withoutPrefix(sid))
    .toArray();
  if (!row) return;
  const participants = sql
    .exec<ParticipantRow>(
      "select * from participants where session = ? order by joined, sid limit ?",
      ...[row.id, maxParticipants],
    )
    .toArray()
    .map(participantOf);
  return {
    session: sessionOf(row),
    participants,
    more: Math.max(0, row.joined + row.aborted - participants.length),
    jobs: jobsOf(sql, sid),
    agents: agentSessionsOf(sql, sid),
  };
}

/** The next part of the file of all participants, in the order in which their sessions were seen. */
export function filePart(
  sql: SqlStorage,
  after: FileCursor | undefined,
): FilePart<FileRow, FileCursor> {
  const rows = sql
    .exec<ParticipantRow & { room: string; name: string }>(
      `select participants.*, sessions.sid as room, sessions.name as name
       from participants join sessions on sessions.id = participants.session
       where (participants.session, participants.sid) > (?, ?)
       order by participants.session, participants.sid limit ?`,
      ...[after?.session ?? 0, after?.participant ?? "", filePartSize],
    )
    .toArray();
  const last = rows.length === filePartSize ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => ({
      ...{ session: `RM_${row.room}`, name: row.name, participant: participantOf(row) },
    })),
    ...(last ? { next: { session: last.session, participant: last.sid } } : {}),
  };
}
