import { dayMs, dayNumberOf } from "~/ui/dates";
import { removeOldAgentSessions } from "../agent-sessions/agent-sessions.server";
import type { Restart } from "../state/server-record";
import { saveSetting, settingIn } from "../storage/tables.server";
import { addToDays, type DaySums, removeOldDays } from "./day-sums.server";
import {
  countSurplus,
  type EvidenceCounts,
  removeOldEvidence,
  saveEvidenceCounts,
  takeEvidence,
} from "./evidence-table.server";
import {
  type ParticipantRow,
  participantOf,
  type SessionRow,
  saveParticipant,
  saveSession,
  sessionOf,
} from "./history-tables.server";
import { jobOf, saveJob } from "./job.server";
import {
  leaveAtEnd,
  type Participant,
  type RoomSession,
  type SessionEnd,
  step,
} from "./room-session";
import type { EventBatch, EvidenceBatch, SessionEvent } from "./session-event";
import { withoutPrefix } from "./sid";

/** Sessions are stored for so long, then their sums alone. */
const retentionMs = 90 * dayMs;
/** A session of which nothing came for so long has ended unseen. */
const silentMs = dayMs;

/** Which spool was read how far. `lost` and `unverified` are what was counted of it. */
type Progress = Pick<EventBatch, "spool" | "through" | "lost" | "unverified">;
const progressName = "progress";
type EvidenceProgress = Omit<EvidenceBatch, "events">;
const evidenceProgressName = "evidence-progress";
const newestName = "newest";

type Held = { id: number; session: RoomSession; before: RoomSession | undefined };
type HeldParticipant = { session: number; participant: Participant };

/**
 * Takes the events of a report, in one transaction of the caller's. What was taken before, after an answer that was
 * lost, changes nothing. A restart ends sessions before the first event of the process that it began; answers those
 * restarts of which no event came yet.
 */
export function takeEvents(
  sql: SqlStorage,
  batch: EventBatch,
  now: number,
  restarts: readonly Restart[] = [],
): readonly Restart[] {
  const before = settingIn<Progress>(sql, progressName);
  const isSame = before?.spool === batch.spool;
  const through = isSame ? before.through : 0;
  if (isSame && batch.through <= through && batch.lost <= before.lost) return restarts;
  const sums: DaySums = new Map();
  const taken = new Batch(sql, sums);
  let later = restarts;
  for (const event of batch.events) {
    if (event.number <= through) continue;
    for (let [next] = later; next && event.at >= next.startedAt; [next] = later) {
      taken.endOpen(endOfRestart(next), "restart");
      later = later.slice(1);
    }
    taken.take(event);
  }
  taken.save();
  const newest = batch.events.at(-1)?.at ?? now;
  const lost = Math.max(0, batch.lost - (isSame ? before.lost : 0));
  const unverified = Math.max(0, batch.unverified - (isSame ? before.unverified : 0));
  if (lost + unverified > 0)
    sums.set(dayNumberOf(newest), { ...sums.get(dayNumberOf(newest)), lost, unverified });
  addToDays(sql, sums);
  saveSetting(sql, progressName, {
    ...{ spool: batch.spool, through: Math.max(through, batch.through) },
    ...{ lost: batch.lost, unverified: batch.unverified },
  } satisfies Progress);
  saveSetting(sql, newestName, now);
  return later;
}

/** Takes what apps said in a report, as the events above. */
export function takeEvidenceBatch(sql: SqlStorage, batch: EvidenceBatch, now: number): void {
  const before = settingIn<EvidenceProgress>(sql, evidenceProgressName);
  const { through, surplus } = before?.spool === batch.spool ? before : { through: 0, surplus: 0 };
  if (batch.through <= through && batch.surplus <= surplus) return;
  const counts: EvidenceCounts = new Map();
  for (const event of batch.events) if (event.number > through) takeEvidence(sql, event, counts);
  const newest = batch.events.at(-1)?.at ?? now;
  countSurplus(counts, newest, Math.max(0, batch.surplus - surplus));
  saveEvidenceCounts(sql, counts);
  saveSetting(sql, evidenceProgressName, {
    ...{ spool: batch.spool, through: Math.max(through, batch.through) },
    surplus: Math.max(surplus, batch.surplus),
  } satisfies EvidenceProgress);
  saveSetting(sql, newestName, now);
}

/**
 * LiveKit runs in another process since `startedAt`, so no session of before goes on. It ends when the former process was
 * last heard of (`at`), or at a later event of its own.
 */
export function endByRestart(sql: SqlStorage, restart: Restart): void {
  endOpen(sql, endOfRestart(restart), "restart");
}

const endOfRestart =
  ({ at, startedAt }: Restart): EndOf =>
  ({ lastAt }) =>
    lastAt < startedAt ? Math.max(lastAt, at) : undefined;

/** Ends sessions of which nothing came for a day, at their last event. */
export function endSilent(sql: SqlStorage, now: number): void {
  endOpen(sql, ({ lastAt }) => (lastAt < now - silentMs ? lastAt : undefined), "silence");
}

/** When an open session has ended; undefined where it goes on. */
type EndOf = (session: RoomSession) => number | undefined;

function endOpen(sql: SqlStorage, endOf: EndOf, end: SessionEnd): void {
  const sums: DaySums = new Map();
  const batch = new Batch(sql, sums);
  batch.endOpen(endOf, end);
  batch.save();
  addToDays(sql, sums);
}

/** Removes what is older than 90 days. Whether anything is left, and anything came in that time. */
export function removeOld(sql: SqlStorage, now: number): boolean {
  const from = now - retentionMs;
  sql.exec(
    "delete from participants where session in (select id from sessions where started < ?)",
    from,
  );
  sql.exec("delete from sessions where started < ?", from);
  sql.exec("delete from jobs where at < ?", from);
  removeOldAgentSessions(sql, from);
  removeOldEvidence(sql, from);
  removeOldDays(sql, dayNumberOf(now));
  return (settingIn<number>(sql, newestName) ?? 0) >= from;
}

/** What the events of one report change, read and written once. */
class Batch {
  readonly #sql: SqlStorage;
  readonly #sums: DaySums;
  readonly #sessions = new Map<string, Held>();
  readonly #participants = new Map<string, HeldParticipant>();
  readonly #evidence: EvidenceCounts = new Map();
  readonly #open: readonly { id: number; session: RoomSession }[];
  #nextId: number;
  #present: number;

  constructor(sql: SqlStorage, sums: DaySums) {
    this.#sql = sql;
    this.#sums = sums;
    this.#open = sql
      .exec<SessionRow>("select * from sessions where ended is null")
      .toArray()
      .map((row) => ({ id: row.id, session: sessionOf(row) }));
    this.#present = this.#open.reduce((sum, { session }) => sum + session.present, 0);
    const [row] = sql.exec<{ id: number | null }>("select max(id) as id from sessions").toArray();
    this.#nextId = (row?.id ?? 0) + 1;
  }

  take(event: SessionEvent): void {
    if (event.kind === "call_evidence") {
      takeEvidence(this.#sql, event, this.#evidence);
      return;
    }
    if (event.details.egress || event.details.ingress) {
      const job = jobOf(this.#sql, event);
      if (job) saveJob(this.#sql, job);
      return;
    }
    if (!event.room) return;
    const held = this.#session(event.room);
    const participant =
      held && event.participant ? this.#participant(held.id, event.participant) : undefined;
    const { session, participant: after, stay } = step(held?.session, participant, event);
    const id = held?.id ?? this.#nextId++;
    if (!held) this.#count(session.startedAt, { sessions: 1 });
    this.#hold(id, session, held);
    if (after && after !== participant) {
      this.#participants.set(keyOf(id, after.sid), { session: id, participant: after });
    }
    const more = session.joined - (held?.session.joined ?? 0);
    const aborted = session.aborted - (held?.session.aborted ?? 0);
    if (more + aborted > 0) this.#count(event.at, { joined: more, aborted });
    if (stay) this.#addStay(stay);
    this.#count(event.at, { peak: this.#present });
    if (event.kind === "room_finished" && held?.session.end !== "finished") this.end(id, session);
  }

  /** Ends those of the sessions that are open now, also by this report. */
  endOpen(endOf: EndOf, end: SessionEnd): void {
    const all = new Map(this.#open.map((each) => [each.session.sid, each]));
    for (const [sid, held] of this.#sessions) all.set(sid, held);
    for (const { id, session } of all.values()) {
      const endedAt = session.endedAt === undefined ? endOf(session) : undefined;
      if (endedAt !== undefined) this.end(id, { ...session, endedAt, end });
    }
  }

  /** Everybody who is still in it leaves. */
  end(id: number, ended: RoomSession): void {
    let session = ended;
    const rows = this.#sql
      .exec<ParticipantRow>("select * from participants where session = ? and left is null", id)
      .toArray();
    const stored = rows.map(participantOf);
    for (const participant of stored) {
      const key = keyOf(id, participant.sid);
      if (!this.#participants.has(key)) this.#participants.set(key, { session: id, participant });
    }
    for (const [key, held] of this.#participants) {
      if (held.session !== id || held.participant.leftAt !== undefined) continue;
      const left = leaveAtEnd(session, held.participant);
      session = left.session;
      if (left.participant)
        this.#participants.set(key, { session: id, participant: left.participant });
      if (left.stay) this.#addStay(left.stay);
    }
    this.#hold(id, { ...session, present: 0 }, this.#session(session.sid));
  }

  save(): void {
    saveEvidenceCounts(this.#sql, this.#evidence);
    for (const { id, session, before } of this.#sessions.values()) {
      if (session !== before) saveSession(this.#sql, id, session);
    }
    for (const { session, participant } of this.#participants.values()) {
      saveParticipant(this.#sql, session, participant);
    }
  }

  #hold(id: number, session: RoomSession, held: Held | undefined): void {
    this.#present = Math.max(0, this.#present + session.present - (held?.session.present ?? 0));
    this.#sessions.set(session.sid, { id, session, before: held?.before });
  }

  #session(sid: string): Held | undefined {
    const held = this.#sessions.get(sid);
    if (held) return held;
    const [row] = this.#sql
      .exec<SessionRow>("select * from sessions where sid = ?", withoutPrefix(sid))
      .toArray();
    if (!row) return;
    const session = sessionOf(row);
    const found = { id: row.id, session, before: session };
    this.#sessions.set(sid, found);
    return found;
  }

  #participant(session: number, sid: string): Participant | undefined {
    const held = this.#participants.get(keyOf(session, sid));
    if (held) return held.participant;
    const [row] = this.#sql
      .exec<ParticipantRow>(
        "select * from participants where session = ? and sid = ?",
        ...[session, withoutPrefix(sid)],
      )
      .toArray();
    return row && participantOf(row);
  }

  #count(
    at: number,
    more: Partial<Record<"sessions" | "joined" | "aborted" | "peak", number>>,
  ): void {
    const day = dayNumberOf(at);
    const sum = { ...this.#sums.get(day) };
    sum.peak = Math.max(sum.peak ?? 0, more.peak ?? 0);
    for (const name of ["sessions", "joined", "aborted"] as const) {
      sum[name] = (sum[name] ?? 0) + (more[name] ?? 0);
    }
    this.#sums.set(day, sum);
  }

  /** Time in calls belongs to the days in which it was spent. */
  #addStay({ from, until }: { from: number; until: number }): void {
    const [first, last, sign] = from <= until ? [from, until, 1] : [until, from, -1];
    for (let begin = first; begin < last; ) {
      const end = Math.min(last, (dayNumberOf(begin) + 1) * dayMs);
      const sum = { ...this.#sums.get(dayNumberOf(begin)) };
      this.#sums.set(dayNumberOf(begin), {
        ...sum,
        stayed: (sum.stayed ?? 0) + sign * (end - begin),
      });
      begin = end;
    }
  }
}

const keyOf = (session: number, sid: string): string => `${session} ${sid}`;
