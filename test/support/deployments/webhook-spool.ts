import { createHash, createHmac } from "node:crypto";
import { rmSync } from "node:fs";
import type { Machine } from "./machine.ts";

/** The words that stand in every field of an event which nobody may read at the console. */
export const canary = "canary-7f3a";

const base64url = (text: string | Buffer) => Buffer.from(text).toString("base64url");

/** An event as LiveKit posts it, signed as LiveKit signs: without "Bearer", and with the body's hash in padded base64. */
export function signedEvent(
  event: unknown,
  { key = "APIkey", secret = "secret" }: { key?: string; secret?: string },
): { body: string; jwt: string } {
  const body = JSON.stringify(event);
  const sha256 = createHash("sha256").update(body).digest("base64");
  const claims = { iss: key, exp: 1_795_313_998, nbf: 1_795_313_698, iat: 1_795_313_698, sha256 };
  const text = [{ alg: "HS256", typ: "JWT" }, claims]
    .map((part) => base64url(JSON.stringify(part)))
    .join(".");
  const signature = createHmac("sha256", secret).update(text).digest("base64url");
  return { body, jwt: `${text}.${signature}` };
}

/** A line of Caddy's log, as 2.11 writes one for each event. */
function spoolLine({ body, jwt }: { body: string; jwt: string }, ts: number): string {
  const entry = { level: "info", ts, logger: "http.log.access.events", msg: "handled request" };
  const handled = { bytes_read: Buffer.byteLength(body), size: 0, status: 200 };
  return `${JSON.stringify({ ...entry, ...handled, jwt, event: body })}\n`;
}

/** `roll_size_mb` and `roll_keep` of caddy.yaml. */
const rolls = {
  events: { bytes: 10 * 1_048_576, keep: 5 },
  evidence: { bytes: 5 * 1_048_576, keep: 2 },
};
type LogName = keyof typeof rolls;

const folder = "opt/livekit/data/sessions";

/**
 * The name that Caddy gives to a full file: that of v2.11.4, which rolls by timberjack v1.4.2 (`backupNameWithResolved`
 * in its timberjack.go), or of v2.10, which rolled by lumberjack. `full-spool.test.ts` has a real Caddy fill one.
 */
export const rolledName = (log: LogName, second: number, isFormer = false) =>
  `${folder}/${log}-2026-11-22T02-42-${String(second).padStart(2, "0")}.639${isFormer ? "" : "-size"}.log`;

/** Lines that Caddy writes into one log, which rolls as Caddy's does. */
function logOf(server: Machine, log: LogName) {
  const rolled: { name: string; lines: number }[] = [];
  let [current, lines, gone] = ["", 0, 0];
  /** Caddy keeps some files beside the one that it writes. */
  const roll = (isFormer = false) => {
    const name = rolledName(log, 10 + rolled.length, isFormer);
    server.write(name, current, 0o600);
    rolled.push({ name, lines });
    [current, lines] = ["", 0];
    const { keep } = rolls[log];
    const [removed] = rolled.slice(-keep - 1, -keep);
    if (!removed) return;
    rmSync(server.path(removed.name));
    gone += removed.lines;
  };
  return {
    add(line: string): void {
      if (current.length + line.length > rolls[log].bytes) roll();
      current += line;
      lines += 1;
    },
    roll,
    save: () => server.write(`${folder}/${log}.log`, current, 0o600),
    gone: () => gone,
  };
}

/** The spool of a machine: what LiveKit and apps post is added to it. */
export function spoolOf(server: Machine) {
  server.write(
    "opt/livekit/secrets.env",
    "LIVEKIT_API_KEY=APIkey\nLIVEKIT_API_SECRET='secret'\nWEBHOOK_SECRET=other\n",
    0o600,
  );
  const [events, evidence] = [logOf(server, "events"), logOf(server, "evidence")];
  let written = 0;
  /** What Caddy writes of each request, within a larger limit. */
  const addCount = () => {
    written += 1;
    evidence.add(`{"ts":${evidenceTs + written / 1_000}}\n`);
  };
  const addLine = (line: string) => {
    events.add(line);
    events.save();
  };
  return {
    folder,
    add(all: readonly unknown[], signer: { key?: string; secret?: string } = {}): void {
      for (const event of all) {
        written += 1;
        events.add(spoolLine(signedEvent(event, signer), 1_795_313_698_000 + written));
      }
      events.save();
    },
    addLine,
    roll(isFormer = false): void {
      events.roll(isFormer);
      events.save();
    },
    /** How many lines of events rolled away. */
    gone: events.gone,
    /** What apps posted: of each request there is a line with its time, and as a rule one with what it said. */
    addEvidence(all: readonly string[]): void {
      for (const line of all) {
        addCount();
        evidence.add(line);
      }
      evidence.save();
    },
    /** Requests beyond what Caddy writes of all addresses. */
    addUnwritten(count: number): void {
      for (let at = 0; at < count; at += 1) addCount();
      evidence.save();
    },
    rollEvidence(): void {
      evidence.roll();
      evidence.save();
    },
  };
}

const room = (name: string) => ({
  ...{ sid: "RM_k3KR8L8i5SJd", name, creationTime: "1795313698", numParticipants: 2 },
  ...{ metadata: `${canary} room`, turnPassword: `${canary} turn` },
});

const participant = (identity: string, more: Record<string, unknown> = {}) => ({
  ...{ sid: "PA_RzM4p5wQ44Va", identity, state: "ACTIVE", joinedAt: "1795313698" },
  ...{ joinedAtMs: "1795313698834", name: `${canary} name`, metadata: `${canary} metadata` },
  attributes: { "sip.phoneNumber": `+4930${canary}`, tier: canary },
  permission: { canPublish: true },
  ...more,
});

/** One event of each kind, with the canary in each text, and in fields that LiveKit may add. */
export function allEvents(name = `${canary} room name`, identity = `${canary} identity`) {
  const head = (event: string) => ({
    ...{ event, id: `EV_${event}`, createdAt: "1795313699", added: `${canary} added` },
    nested: { added: [canary] },
  });
  const track = {
    ...{ sid: "TR_VC8bq3P2", type: "VIDEO", source: "CAMERA", mimeType: "video/VP8" },
    ...{ width: 1280, height: 720, name: `${canary} track`, stream: canary, mid: canary },
  };
  const egress = (status: string) => ({
    ...{ egressId: "EG_abcDEF123", roomId: "RM_k3KR8L8i5SJd", roomName: name, status },
    ...{ startedAt: "1795313699000000000", endedAt: "1795313720000000000", errorCode: 500 },
    ...{ error: `${canary} error`, details: `${canary} details` },
    roomComposite: { roomName: name, file: { filepath: `/out/${canary}.mp4` } },
    streamResults: [{ url: `rtmp://example.com/${canary}`, info: canary }],
    fileResults: [{ filename: `${canary}.mp4`, location: `https://example.com/${canary}` }],
  });
  const ingress = (status: string) => ({
    ...{ ingressId: "IN_abcDEF123", name: `${canary} ingress`, streamKey: canary, url: canary },
    ...{ inputType: "WHIP_INPUT", roomName: name, participantIdentity: identity },
    ...{ participantName: canary, participantMetadata: canary },
    state: { status, roomId: "RM_k3KR8L8i5SJd", error: `${canary} error`, resourceId: canary },
  });
  const of = (event: string, more: Record<string, unknown>) => ({ ...head(event), ...more });
  const inRoom = (event: string, more: Record<string, unknown> = {}) =>
    of(event, { room: room(name), participant: participant(identity, more) });
  return [
    of("room_started", { room: room(name) }),
    inRoom("participant_joined"),
    of("track_published", { room: room(name), participant: participant(identity), track }),
    of("track_unpublished", { room: room(name), participant: participant(identity), track }),
    inRoom("participant_left", {
      ...{ kind: "SIP", isPublisher: true, disconnectReason: "CLIENT_INITIATED" },
    }),
    inRoom("participant_connection_aborted", {
      ...{ sid: "PA_aborted1234", disconnectReason: canary, kind: canary },
    }),
    of("egress_started", { egressInfo: egress("EGRESS_ACTIVE") }),
    of("egress_updated", { egressInfo: egress(canary) }),
    of("egress_ended", { egressInfo: egress("EGRESS_FAILED") }),
    of("ingress_started", { ingressInfo: ingress("ENDPOINT_PUBLISHING") }),
    of("ingress_ended", { ingressInfo: ingress("ENDPOINT_ERROR") }),
    of("room_finished", { room: room(name) }),
    of(`${canary}_happened`, { room: room(name) }),
  ];
}

/** When these lines were written, in milliseconds. */
export const evidenceTs = 1_795_313_700_000;

/** A token with which somebody joins a room, signed with the key of the machine in webhook-spool.ts. */
export function joinToken({
  identity = "alice",
  room = "room-one",
  key = "APIkey",
  secret = "secret",
  exp = evidenceTs / 1_000 + 600,
  nbf = evidenceTs / 1_000 - 600,
  roomJoin = true,
}): string {
  const claims = { iss: key, sub: identity, exp, nbf, video: { roomJoin, room } };
  const text = [{ alg: "HS256" }, claims].map((part) => base64url(JSON.stringify(part))).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

/** A line of Caddy's log, as it writes one for each request of an app within the limit of all addresses. */
export function evidenceLine(
  said: object,
  { from = "198.51.100.20", ts = evidenceTs } = {},
): string {
  const entry = { level: "info", ts, logger: "http.log.access.evidence", msg: "handled request" };
  return `${JSON.stringify({ ...entry, status: 204, size: 0, from, evidence: JSON.stringify(said) })}\n`;
}
