import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { callKey, callSecret, claimsIfSigned, startTls } from "../call-server.ts";

type Participant = Record<string, unknown> & { identity: string };
export type ServedRoom = { sid: string; name: string; people: Participant[]; isRecorded?: boolean };

/**
 * LiveKit's RoomService, as `npm run proof:real call` sees a real one answer a browser of another origin: which grant
 * each call wants, in which words it refuses, and what it answers. It takes JSON alone, and has no room for a token that
 * the secret did not sign.
 */
export async function startRoomServer(rooms: ServedRoom[]) {
  const calls: string[] = [];
  const state = { isBroken: false };
  const server = createServer(async (request, response) => {
    const cors = {
      "access-control-allow-origin": request.headers.origin ?? "",
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "",
      "access-control-allow-methods": "POST",
    };
    if (request.method === "OPTIONS") return response.writeHead(204, cors).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const method = /^\/twirp\/livekit\.RoomService\/(\w+)$/.exec(request.url ?? "")?.[1] ?? "";
    calls.push(method);
    const answer = state.isBroken
      ? { status: 502, body: "Bad Gateway" }
      : answerTo(rooms, method, request.headers.authorization, Buffer.concat(chunks).toString());
    const { status, body } = answer;
    response.writeHead(status, { ...cors, "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const tls = await startTls((server.address() as AddressInfo).port);
  return {
    port: tls.port,
    rooms,
    calls,
    /** As a proxy whose LiveKit is away. */
    break(isBroken: boolean) {
      state.isBroken = isBroken;
    },
    async [Symbol.asyncDispose]() {
      await tls[Symbol.asyncDispose]();
      server.close();
      await once(server, "close");
    },
  };
}

type Answer = { status: number; body: string };
const failed = (status: number, code: string, msg: string): Answer => ({
  ...{ status, body: JSON.stringify({ code, msg }) },
});
const good = (answer: unknown): Answer => ({ status: 200, body: JSON.stringify(answer) });
const denied = failed(401, "unauthenticated", "permissions denied");
const notFound = (msg: string) => failed(404, "not_found", msg);

function answerTo(
  rooms: ServedRoom[],
  method: string,
  authorization: string | undefined,
  text: string,
): Answer {
  const token = authorization?.replace(/^Bearer /, "") ?? "";
  const claims = claimsIfSigned(token, { key: callKey, secret: callSecret });
  if (typeof claims === "string") return { status: 401, body: claims };
  const { video } = claims;
  const body = JSON.parse(text);
  if (method === "ListRooms") {
    return video.roomList ? good({ rooms: rooms.map(roomFields) }) : denied;
  }
  const room = rooms.find(({ name }) => name === body.room);
  if (method === "DeleteRoom") {
    if (!video.roomCreate) return denied;
    if (!room) return notFound("requested room does not exist");
    rooms.splice(rooms.indexOf(room), 1);
    return good({});
  }
  if (!video.roomAdmin || video.room !== body.room) return denied;
  if (method === "ListParticipants") return good({ participants: room?.people ?? [] });
  const who = room?.people.find(({ identity }) => identity === body.identity);
  if (!room || !who) return notFound("participant does not exist");
  if (method === "RemoveParticipant") {
    room.people.splice(room.people.indexOf(who), 1);
    return good({});
  }
  return failed(404, "bad_route", `no handler for path ${method}`);
}

function roomFields({ sid, name, people, isRecorded = false }: ServedRoom) {
  return {
    ...{ sid, name, empty_timeout: 300, departure_timeout: 20, max_participants: 0 },
    ...{ creation_time: "1795913843", creation_time_ms: "1795913843985", turn_password: "t" },
    ...{ enabled_codecs: [], metadata: "", num_participants: people.length, num_publishers: 0 },
    ...{ active_recording: isRecorded, version: null },
  };
}

/** A participant as LiveKit lists one. */
export function served(identity: string, more: object = {}): Participant {
  return {
    ...{ sid: `PA_${identity.replaceAll(/\W/g, "")}0000`, identity, name: "", state: "ACTIVE" },
    ...{ kind: "STANDARD", joined_at: "1795913850", permission: { hidden: false }, tracks: [] },
    ...more,
  };
}
