import { type LiveParticipant, type LiveRoom, participantsIn, roomsIn } from "./live-room";
import { type RoomFailure, refusalIn } from "./room-failure";
import type { RoomsToken } from "./rooms-token";

type Method =
  | "ListRooms"
  | "ListParticipants"
  | "DeleteRoom"
  | "RemoveParticipant"
  | "MutePublishedTrack";

export type Outcome<Answer> = { ok: true; answer: Answer } | { ok: false; failure: RoomFailure };

const waitMs = 10_000;

/**
 * Calls LiveKit's RoomService at a deployment's own server (Twirp, in JSON). The token goes there in a header and
 * nowhere else; nothing is sent along, remembered or followed elsewhere.
 */
export async function callRoomService(
  domain: string,
  token: RoomsToken,
  method: Method,
  body: Readonly<Record<string, unknown>>,
): Promise<Outcome<unknown>> {
  try {
    const response = await fetch(`https://${domain}/twirp/livekit.RoomService/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.text}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(waitMs),
    });
    const text = await response.text();
    if (!response.ok) return { ok: false, failure: refusalIn(response.status, text) };
    return { ok: true, answer: JSON.parse(text) };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

/** A browser lets no script know whether a name, a certificate, a port or a proxy is why nothing came. */
function failureOf(error: unknown): RoomFailure {
  if (error instanceof SyntaxError) return "not-livekit";
  if (error instanceof DOMException && error.name === "TimeoutError") return "slow";
  return navigator.onLine ? "unreachable" : "offline";
}

/** `people`: of the token's room, where it has one. */
export type Reading = { rooms: LiveRoom[]; people?: LiveParticipant[] };

/** Which rooms there are, and who is in that of the token. */
export async function readRooms(domain: string, token: RoomsToken): Promise<Outcome<Reading>> {
  const { room } = token;
  const [rooms, people] = await Promise.all([
    callRoomService(domain, token, "ListRooms", {}),
    room === undefined ? undefined : callRoomService(domain, token, "ListParticipants", { room }),
  ]);
  if (!rooms.ok) return rooms;
  const list = roomsIn(rooms.answer);
  if (!list) return { ok: false, failure: "not-livekit" };
  // Of a room that has ended there is nobody to list.
  if (!people || (!people.ok && people.failure === "gone"))
    return { ok: true, answer: { rooms: list } };
  if (!people.ok) return people;
  const found = participantsIn(people.answer);
  if (!found) return { ok: false, failure: "not-livekit" };
  return { ok: true, answer: { rooms: list, people: found } };
}
