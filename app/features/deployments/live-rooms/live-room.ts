import * as z from "zod/mini";
import { testRoomPrefix } from "../test-room/room-name";

/** A room of a LiveKit server, as it is now. */
export type LiveRoom = {
  sid: string;
  name: string;
  participants: number;
  /** In milliseconds since 1970. */
  startedAt: number;
  isRecorded: boolean;
  /** Whether it was made for a test from here. */
  isTest: boolean;
};

export type LiveTrack = { sid: string; source: TrackSource; isMuted: boolean };

export type LiveParticipant = {
  sid: string;
  identity: string;
  /** Empty where it has none. */
  name: string;
  kind: string;
  joinedAt: number;
  isHidden: boolean;
  tracks: LiveTrack[];
};

export const trackSources = [
  "microphone",
  "camera",
  "screen",
  "sound of the screen",
  "track",
] as const;
export type TrackSource = (typeof trackSources)[number];

const sources: Readonly<Record<string, TrackSource>> = {
  MICROPHONE: "microphone",
  CAMERA: "camera",
  SCREEN_SHARE: "screen",
  SCREEN_SHARE_AUDIO: "sound of the screen",
};

/** LiveKit writes 64-bit numbers as text. */
const wide = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value) => Number(value) || 0),
);
const count = z._default(z.number(), 0);
const flag = z._default(z.boolean(), false);
const text = z._default(z.string(), "");
const seconds = z._default(wide, 0);

const roomList = z.object({
  rooms: z._default(
    z.array(
      z.object({
        sid: z.string(),
        name: z.string(),
        num_participants: count,
        creation_time: seconds,
        active_recording: flag,
      }),
    ),
    [],
  ),
});

const participantList = z.object({
  participants: z._default(
    z.array(
      z.object({
        sid: z.string(),
        identity: z.string(),
        name: text,
        kind: text,
        state: text,
        joined_at: seconds,
        permission: z.nullish(z.object({ hidden: flag })),
        tracks: z._default(z.array(z.object({ sid: z.string(), source: text, muted: flag })), []),
      }),
    ),
    [],
  ),
});

/** The rooms of an answer of LiveKit's, the fullest first; undefined where it is none. */
export function roomsIn(answer: unknown): LiveRoom[] | undefined {
  const read = roomList.safeParse(answer);
  if (!read.success) return;
  return read.data.rooms
    .map(({ sid, name, num_participants, creation_time, active_recording }) => ({
      ...{ sid, name, participants: num_participants, startedAt: creation_time * 1_000 },
      isRecorded: active_recording,
      isTest: name.startsWith(testRoomPrefix),
    }))
    .sort(
      (one, other) =>
        other.participants - one.participants || one.name.localeCompare(other.name, "en"),
    );
}

/** The people of a room, in the order in which they joined; undefined where the answer is none. */
export function participantsIn(answer: unknown): LiveParticipant[] | undefined {
  const read = participantList.safeParse(answer);
  if (!read.success) return;
  return read.data.participants
    .filter(({ state }) => state !== "DISCONNECTED")
    .map(({ sid, identity, name, kind, joined_at, permission, tracks }) => ({
      ...{ sid, identity, name: name === identity ? "" : name },
      kind: kinds[kind] ?? "",
      joinedAt: joined_at * 1_000,
      isHidden: permission?.hidden ?? false,
      tracks: tracks.map(({ sid, source, muted }) => ({
        ...{ sid, source: sources[source] ?? "track", isMuted: muted },
      })),
    }))
    .sort(
      (one, other) =>
        one.joinedAt - other.joinedAt || one.identity.localeCompare(other.identity, "en"),
    );
}

/** What a participant is who is no person. */
const kinds: Readonly<Record<string, string>> = {
  AGENT: "agent",
  SIP: "telephone",
  INGRESS: "stream",
  EGRESS: "recorder",
  CONNECTOR: "connector",
  BRIDGE: "bridge",
};

export const peopleCount = (count: number): string =>
  count === 1 ? "1 participant" : `${count} participants`;
