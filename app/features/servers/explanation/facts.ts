import type { Incident } from "../incidents/incident";
import type { CallEvidence } from "../room-sessions/evidence-peers";
import type { Participant, RoomSession } from "../room-sessions/room-session";
import type { Change } from "../state/server-record";

/** What is known of a server at about the time of a call. What could not be read is missing, and nothing is concluded from it. */
export type ServerFacts = {
  incidents?: readonly Pick<Incident, "causes">[];
  changes?: readonly Pick<Change, "at" | "code">[];
  figures?: CallFigures;
};

/** All that is known of one participant's call. */
export type CallFacts = ServerFacts & {
  now: number;
  /** What their app said of it, and what others' apps said at that time. */
  evidence?: CallEvidence;
  session: Pick<RoomSession, "startedAt" | "endedAt" | "end">;
  participant: Participant;
  /** Who else was in the session, before and after too. */
  others: readonly Participant[];
};

/** All that is known of a call of which LiveKit told its server nothing: what an app said, or nothing but when it was. */
export type UnseenCallFacts = ServerFacts & { at: number; evidence?: Partial<CallEvidence> };

/** What the whole server was like while the call lasted, in the mean: not what one call was like. */
export type CallFigures = {
  /** Lost packets, in % of all. */
  loss?: number;
  /** Processor time, in % of all processors. */
  processor?: number;
  /** Memory, in % of all. */
  memory?: number;
  /** How many were recorded at once, at most. */
  recordings?: number;
};

/**
 * How sure it is. `certain`: LiveKit, the server or their own browser said so itself, and nothing else looks like it. `likely`: what was seen fits this best. `unknown`: it
 * was seen that something went wrong, and not why.
 */
export type Confidence = "certain" | "likely" | "unknown";

/** Why a call was as it was, with what that rests on and what to do about it. */
export type Explanation = {
  code: string;
  confidence: Confidence;
  /** The first sentence of the page. */
  title: string;
  because: readonly string[];
  next: readonly string[];
};

export const secondMs = 1_000;
export const minuteMs = 60_000;

/** When the call ended, or now. */
export const endOf = ({ participant, now }: CallFacts): number => participant.leftAt ?? now;

/** The server's findings and states that lasted at a moment, or until shortly before. */
export function wrongAt({ incidents = [] }: ServerFacts, at: number) {
  return incidents
    .flatMap(({ causes }) => causes)
    .filter(
      ({ since, endedAt }) =>
        since <= at + 2 * minuteMs && (endedAt === undefined || endedAt >= at - 2 * minuteMs),
    );
}

/** Others who got sound and picture through within half an hour of a moment: whatever was wrong was not so for them. */
export function throughNear({ others }: CallFacts, at: number): readonly Participant[] {
  return others.filter(
    ({ isAborted, joinedAt, leftAt, reason, kind }) =>
      !isAborted &&
      !isProgram(kind) &&
      reason !== "MEDIA_FAILURE" &&
      reason !== "JOIN_FAILURE" &&
      Math.abs(joinedAt - at) <= 30 * minuteMs &&
      (leftAt === undefined || leftAt - joinedAt >= minuteMs),
  );
}

/** Whether it is no browser or app of somebody: its way to the server is another one. */
export const isProgram = (kind: string): boolean => kind !== "" && kind !== "STANDARD";

/** What says that a connection broke, and not that somebody or something ended it. */
const breaks: ReadonlySet<string> = new Set(["SIGNAL_CLOSE", "CONNECTION_TIMEOUT"]);

export const isBroken = ({ isAborted, leftAt, reason }: Participant): boolean =>
  !isAborted && leftAt !== undefined && breaks.has(reason);

/** The same identity a moment later. */
export function comeback({ participant, others }: CallFacts): Participant | undefined {
  const { identity, leftAt } = participant;
  if (leftAt === undefined || identity === "") return;
  return others.find(
    (each) =>
      each.identity === identity &&
      !each.isAborted &&
      each.joinedAt >= leftAt - 5 * secondMs &&
      each.joinedAt <= leftAt + 2 * minuteMs,
  );
}

/** "1 person", "3 people". */
export const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`);
