import type { SessionEvent } from "./session-event";

// A session of a room and the participants in it, by their sids. What LiveKit counts in a room is not used: it is 0 at a
// join and does not change at a leave.

/** Why a session ended: LiveKit said so, its process was another one, or nothing came for a day. */
export type SessionEnd = "finished" | "restart" | "silence";

export type RoomSession = {
  sid: string;
  /** A hash, or "=" and the name. */
  name: string;
  startedAt: number;
  /** Of its last event. */
  lastAt: number;
  endedAt?: number;
  end?: SessionEnd;
  /** How many are in it now, and were at most. */
  present: number;
  peak: number;
  joined: number;
  /** Who never got through. */
  aborted: number;
  /** What all participants stayed, together, in milliseconds. */
  stayedMs: number;
};

export type Participant = {
  sid: string;
  identity: string;
  kind: string;
  joinedAt: number;
  leftAt?: number;
  reason: string;
  /** Nobody said that they left: the session ended. A leave that comes later replaces it. */
  isAssumed?: true;
  isAborted?: true;
  isPublisher?: true;
  tracks: Track[];
};

export type Track = {
  sid: string;
  source: string;
  mime: string;
  size: string;
  from: number;
  until?: number;
};

/** What an event makes of a session. `stay`: time in calls that it adds, which is negative where `from` is later. */
export type Step = {
  session: RoomSession;
  participant?: Participant;
  stay?: { from: number; until: number };
};

/** More tracks of one participant are not stored. */
const maxTracks = 20;

/**
 * The session after an event of its room, and the participant whom it is about. A leave without a join is one who was
 * there; who joins twice is there once; hidden ones and events of unknown tracks change nothing.
 */
export function step(
  former: RoomSession | undefined,
  participant: Participant | undefined,
  event: SessionEvent,
): Step {
  const session = seen(former, event);
  if (event.kind === "room_started") {
    return { session: { ...session, startedAt: Math.min(session.startedAt, event.at) } };
  }
  if (event.kind === "room_finished") {
    if (session.end === "finished") return { session };
    return { session: { ...session, endedAt: event.at, end: "finished" } };
  }
  if (!event.participant || event.details.hidden) return { session };
  if (event.kind === "participant_joined") return joined(session, participant, event);
  if (event.kind === "participant_left") return left(session, participant, event);
  if (event.kind === "participant_connection_aborted") return aborted(session, participant, event);
  if (participant && event.details.track) {
    return { session, participant: withTrack(participant, event) };
  }
  return { session };
}

/** The session as its events show it. One whose end was assumed goes on when something happens in it later. */
function seen(former: RoomSession | undefined, event: SessionEvent): RoomSession {
  if (!former) {
    return {
      ...{ sid: event.room, name: event.roomName, startedAt: event.at, lastAt: event.at },
      ...{ present: 0, peak: 0, joined: 0, aborted: 0, stayedMs: 0 },
    };
  }
  const { end, endedAt, ...open } = former;
  const goesOn = end !== undefined && end !== "finished" && event.at > (endedAt ?? 0);
  const name = former.name || event.roomName;
  return { ...(goesOn ? open : former), name, lastAt: Math.max(former.lastAt, event.at) };
}

function joinedAtOf({ details, at }: SessionEvent): number {
  const joined = Number(details.joined ?? Number.NaN);
  // A time after its own event, or a day before LiveKit could have said it, is none.
  return joined > 0 && joined <= at + 1_000 ? Math.min(joined, at) : at;
}

function newcomer(event: SessionEvent): Participant {
  const { participant: sid, identity, details } = event;
  return {
    ...{ sid, identity, kind: details.kind ?? "", joinedAt: joinedAtOf(event), reason: "" },
    tracks: [],
  };
}

function joined(session: RoomSession, known: Participant | undefined, event: SessionEvent): Step {
  const at = joinedAtOf(event);
  const startedAt = Math.min(session.startedAt, at);
  if (!known) {
    const arrived = withPresent({ ...session, startedAt, joined: session.joined + 1 }, 1);
    // Its room has ended: it was there until then.
    if (arrived.endedAt === undefined) return { session: arrived, participant: newcomer(event) };
    const participant = newcomer(event);
    const leftAt = Math.max(arrived.endedAt, at);
    return withStay(
      withPresent(arrived, -1),
      { ...participant, leftAt, isAssumed: true },
      { from: at, until: leftAt },
    );
  }
  if (known.isAborted || at >= known.joinedAt) return { session, participant: known };
  const participant = { ...known, joinedAt: at };
  if (known.leftAt === undefined) return { session: { ...session, startedAt }, participant };
  return withStay({ ...session, startedAt }, participant, { from: at, until: known.joinedAt });
}

function left(session: RoomSession, known: Participant | undefined, event: SessionEvent): Step {
  const { reason = "", publisher } = event.details;
  const said = { reason, ...(publisher ? { isPublisher: true as const } : {}) };
  const was = known ?? newcomer(event);
  const leftAt = Math.max(event.at, was.joinedAt);
  const { isAssumed, ...rest } = was;
  const participant: Participant = { ...withEndedTracks(rest, leftAt), ...said, leftAt };
  if (!known) {
    const startedAt = Math.min(session.startedAt, was.joinedAt);
    const here = withPresent({ ...session, startedAt, joined: session.joined + 1 }, 1);
    return withStay(withPresent(here, -1), participant, { from: was.joinedAt, until: leftAt });
  }
  if (known.isAborted) return { session, participant: known };
  if (known.leftAt === undefined) {
    return withStay(withPresent(session, -1), participant, { from: was.joinedAt, until: leftAt });
  }
  if (!isAssumed) return { session, participant: known };
  return withStay(session, participant, { from: known.leftAt, until: leftAt });
}

function aborted(session: RoomSession, known: Participant | undefined, event: SessionEvent): Step {
  if (known) return { session, participant: known };
  const participant: Participant = {
    ...newcomer(event),
    ...{ leftAt: event.at, reason: event.details.reason ?? "", isAborted: true },
  };
  return { session: { ...session, aborted: session.aborted + 1 }, participant };
}

function withTrack(participant: Participant, event: SessionEvent): Participant {
  const { track: sid = "", source = "", mime = "", size = "", type = "" } = event.details;
  const others = participant.tracks.filter((track) => track.sid !== sid);
  const known = participant.tracks.find((track) => track.sid === sid);
  if (event.kind === "track_unpublished") {
    if (!known) return participant;
    return { ...participant, tracks: [...others, { ...known, until: event.at }] };
  }
  if (known || others.length >= maxTracks) return participant;
  const made = {
    sid,
    source: source || type,
    mime: mime.replace(/^\w+\//, ""),
    size,
    from: event.at,
  };
  return { ...participant, tracks: [...others, made] };
}

function withEndedTracks(participant: Participant, until: number): Participant {
  const tracks = participant.tracks.map((track) =>
    track.until === undefined ? { ...track, until: Math.max(until, track.from) } : track,
  );
  return { ...participant, tracks };
}

function withPresent(session: RoomSession, more: 1 | -1): RoomSession {
  const present = Math.max(0, session.present + more);
  return { ...session, present, peak: Math.max(session.peak, present) };
}

function withStay(
  session: RoomSession,
  participant: Participant,
  stay: { from: number; until: number },
): Step {
  const stayedMs = session.stayedMs + stay.until - stay.from;
  return { session: { ...session, stayedMs }, participant, stay };
}

/** Who is still in a session that has ended leaves at its end. */
export function leaveAtEnd(session: RoomSession, participant: Participant): Step {
  const leftAt = Math.max(session.endedAt ?? session.lastAt, participant.joinedAt);
  return withStay(
    withPresent(session, -1),
    { ...withEndedTracks(participant, leftAt), leftAt, isAssumed: true },
    { from: participant.joinedAt, until: leftAt },
  );
}
