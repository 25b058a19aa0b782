import * as z from "zod/mini";
import type { Participant, RoomSession } from "~/features/servers/room-sessions/room-session";
import { dayMs } from "~/ui/dates";
import { cursorOf, placeIn } from "../cursor";
import { notFound } from "../problem";
import {
  cursorField,
  described,
  invalidCursor,
  iso,
  isoOrNull,
  named,
  type Outcome,
  operation,
  pageOf,
  time,
  uuid,
} from "./operation";

const alias = described(
  "The hash that the machine made of it, or where the deployment's *Send names* is on the name. Both are null where LiveKit did not say it.",
  z.object({ hash: z.nullable(z.string()), name: z.nullable(z.string()) }),
);
const sid = z.string().check(z.regex(/^RM_[A-Za-z0-9]{4,40}$/));

const session = {
  id: sid,
  room: alias,
  started_at: time,
  ended_at: described("Null while it lasts.", z.nullable(time)),
  end: described(
    "`finished`: LiveKit said so. `restart`: its process was started anew. `silence`: nothing came for a day.",
    z.nullable(z.enum(["finished", "restart", "silence"])),
  ),
  participants: described(
    "How many are in it now, and were at most.",
    z.object({
      present: z.int(),
      peak: z.int(),
      joined: z.int(),
      aborted: z.int(),
    }),
  ),
  participant_seconds: z.number(),
};

const participant = z.object({
  id: z.string(),
  identity: alias,
  kind: described("Empty for a person's app, or LiveKit's word, such as AGENT or SIP.", z.string()),
  joined_at: time,
  left_at: z.nullable(time),
  reason: described("LiveKit's word for why they left; empty while they are there.", z.string()),
  is_aborted: described("Never got through.", z.boolean()),
  is_publisher: z.boolean(),
  tracks: z.array(
    z.object({
      id: z.string(),
      source: z.string(),
      mime: z.string(),
      from: time,
      until: z.nullable(time),
    }),
  ),
});

const sessionLine = named("SessionLine", "A session of a list.", z.object(session));
const sessionPage = named(
  "Session",
  "A session of a room with who was in it: the first 300 who joined.",
  z.object({
    ...session,
    people: z.array(participant),
    more: described("So many participants are not among `people`.", z.int()),
  }),
);

/** A name that a customer chose to send has a sign before it; anything else is a hash. */
function aliasOf(stored: string) {
  if (stored.startsWith("=")) return { hash: null, name: stored.slice(1) };
  return { hash: stored || null, name: null };
}

function sessionView(of: RoomSession) {
  const { present, peak, joined, aborted } = of;
  return {
    ...{ id: of.sid, room: aliasOf(of.name), started_at: iso(of.startedAt) },
    ...{ ended_at: isoOrNull(of.endedAt), end: of.end ?? null },
    participants: { present, peak, joined, aborted },
    participant_seconds: Math.round(of.stayedMs / 1_000),
  };
}

function participantView(of: Participant) {
  return {
    ...{ id: of.sid, identity: aliasOf(of.identity), kind: of.kind },
    ...{ joined_at: iso(of.joinedAt), left_at: isoOrNull(of.leftAt), reason: of.reason },
    ...{ is_aborted: of.isAborted === true, is_publisher: of.isPublisher === true },
    tracks: of.tracks.map(({ sid, source, mime, from, until }) => ({
      ...{ id: sid, source, mime, from: iso(from), until: isoOrNull(until) },
    })),
  };
}

const place = z.tuple([z.int(), z.int()]);
const base = {
  method: "GET",
  tag: "Sessions",
  scope: "sessions:read",
  status: 200,
  problems: [],
} as const;

export const sessionOperations = [
  operation({
    ...{ ...base, path: "/servers/{server}/sessions", id: "listSessions" },
    summary: "The sessions of a server's rooms, newest first, 50 at a time",
    params: { server: uuid },
    query: {
      cursor: cursorField,
      day: z.optional(described("Of UTC.", z.iso.date())),
      name: z.optional(
        described(
          "The beginning of the hash, or of the name, of the room or of somebody in it.",
          z.string().check(z.minLength(1), z.maxLength(100)),
        ),
      ),
    },
    answer: pageOf("SessionPage", "sessions", sessionLine),
    async run({ params, query, call, sources: { fleets } }): Promise<Outcome> {
      const { cursor, day, name } = query;
      const before = cursor === undefined ? undefined : placeIn(cursor, place);
      if (cursor !== undefined && !before) return invalidCursor;
      const found = await fleets.sessions(call.token.workspace, params.server, {
        ...(day === undefined ? {} : { day: Date.parse(day) / dayMs }),
        ...(name === undefined ? {} : { name }),
        ...(before ? { before: { started: before[0], id: before[1] } } : {}),
      });
      if (!found) return notFound("server");
      const { sessions, next } = found;
      return {
        value: {
          items: sessions.map(sessionView),
          next_cursor: next ? cursorOf([next.started, next.id]) : null,
        },
      };
    },
  }),
  operation({
    ...{ ...base, path: "/servers/{server}/sessions/{session}", id: "getSession" },
    summary: "One session with its participants",
    ...{ params: { server: uuid, session: sid }, query: {}, answer: sessionPage },
    async run({ params, call, sources: { fleets } }): Promise<Outcome> {
      const found = await fleets.session(call.token.workspace, params.server, params.session);
      if (!found) return notFound("session");
      const { session, participants, more } = found;
      return {
        value: { ...sessionView(session), people: participants.map(participantView), more },
      };
    },
  }),
];
