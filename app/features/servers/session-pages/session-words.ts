import { durationWords } from "../incidents/incident-figures";
import type { Job } from "../room-sessions/job.server";
import type { Participant, RoomSession, SessionEnd, Track } from "../room-sessions/room-session";

/** Whether the customer chose to send it. Otherwise it is a hash. */
export const hasName = (name: string): boolean => name.startsWith("=");

/** As pages show a name: six characters of a hash, or the name that the customer chose to send. */
export function nameWords(name: string): string {
  if (name === "") return "not known";
  return hasName(name) ? name.slice(1) : name.slice(0, 6);
}

/** In a file a hash is whole, as `livekit-deploy find` prints it. */
export const wholeName = (name: string): string => (hasName(name) ? nameWords(name) : name);

const reasons: Readonly<Record<string, string>> = {
  CLIENT_INITIATED: "left",
  DUPLICATE_IDENTITY: "the same identity joined again",
  SERVER_SHUTDOWN: "the server was stopped",
  PARTICIPANT_REMOVED: "removed by your back end",
  ROOM_DELETED: "your back end ended the room",
  STATE_MISMATCH: "client and server disagreed after a reconnect",
  JOIN_FAILURE: "could not join",
  MIGRATION: "moved to another node",
  SIGNAL_CLOSE: "the signal connection broke off",
  ROOM_CLOSED: "the room was closed",
  USER_UNAVAILABLE: "nobody answered the telephone",
  USER_REJECTED: "the telephone call was refused",
  SIP_TRUNK_FAILURE: "the SIP trunk failed",
  CONNECTION_TIMEOUT: "the media connection timed out",
  MEDIA_FAILURE: "no media came through",
  AGENT_ERROR: "the agent failed",
};

export function reasonWords({ reason, isAssumed, leftAt }: Participant): string {
  if (leftAt === undefined) return "";
  if (isAssumed) return "when the session ended";
  return reasons[reason] ?? "no reason given";
}

const kinds: Readonly<Record<string, string>> = {
  AGENT: "agent",
  SIP: "telephone",
  INGRESS: "stream",
  EGRESS: "recorder",
  CONNECTOR: "connector",
  BRIDGE: "bridge",
};

export const kindWords = (kind: string): string => kinds[kind] ?? "";

export const endWords: Readonly<Record<SessionEnd, string>> = {
  finished: "",
  restart: "LiveKit was started anew",
  silence: "nothing came for a day",
};

const sources: Readonly<Record<string, string>> = {
  CAMERA: "a camera",
  MICROPHONE: "a microphone",
  SCREEN_SHARE: "a screen",
  SCREEN_SHARE_AUDIO: "the sound of a screen",
  AUDIO: "audio",
  VIDEO: "video",
  DATA: "data",
};

export function trackWords({ source, mime, size }: Track): string {
  const details = [mime, size.replace("x", " × ")].filter(Boolean).join(", ");
  const words = sources[source] ?? "a track";
  return details ? `${words} (${details})` : words;
}

export function jobWords({ kind, input }: Job): string {
  if (kind === "egress") return "Egress";
  return `Ingress (${input.replace("_INPUT", "") || "unknown"})`;
}

/** LiveKit's own word for the state of an Egress or Ingress, as people write it. */
export function statusWords({ status, code }: Job): string {
  const words = status
    .replace(/^(EGRESS|ENDPOINT)_/, "")
    .replaceAll("_", " ")
    .toLowerCase();
  return `${words || "not known"}${code ? `, error ${code}` : ""}`;
}

export function stayWords({ joinedAt, leftAt }: Participant): string {
  return leftAt === undefined ? "still there" : durationWords(leftAt - joinedAt);
}

/** Of a session that goes on nobody knows yet how long its participants stay. */
export const minuteWords = ({ endedAt, stayedMs }: RoomSession): string =>
  endedAt === undefined ? "not yet" : `${minutesOf(stayedMs)}`;

export const minutesOf = (ms: number): number => Math.round(ms / 60_000);
