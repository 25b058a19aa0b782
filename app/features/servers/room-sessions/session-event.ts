// What a machine says of LiveKit's webhooks: docs/decisions/0075. sessions.py of the bundle writes these lines.

/** One event in the order of the machine's spool. `number`: its place there, from 1. Names are hashes, or begin with "=". */
export type SessionEvent = {
  number: number;
  at: number;
  kind: EventKind;
  /** The sid of the room; empty for an egress or ingress that has none. */
  room: string;
  roomName: string;
  participant: string;
  identity: string;
  details: Readonly<Partial<Record<DetailName, string>>>;
};

/** The events of one report. `through`: the last number that it covers. `lost` and `unverified` are counts since the spool began. */
export type EventBatch = {
  spool: string;
  through: number;
  lost: number;
  unverified: number;
  events: SessionEvent[];
  /** As many as one report takes, so that more may wait on the machine. */
  isFull?: true;
};

/**
 * What apps said of calls in one report; on the machine it is in files of its own, with numbers of its own. `surplus`: how
 * many of their requests at least were not taken since the spool began.
 */
export type EvidenceBatch = {
  spool: string;
  through: number;
  surplus: number;
  events: SessionEvent[];
};

export const eventKinds = [
  ...(["room_started", "room_finished", "participant_joined", "participant_left"] as const),
  ...(["participant_connection_aborted", "track_published", "track_unpublished"] as const),
  ...(["egress_started", "egress_updated", "egress_ended"] as const),
  ...(["ingress_started", "ingress_ended"] as const),
  // Of a customer's own app, and not of LiveKit. Machines of older releases have it among LiveKit's events.
  "call_evidence",
] as const;
export type EventKind = (typeof eventKinds)[number];

const detailNames = [
  ...(["joined", "kind", "reason", "publisher", "hidden"] as const),
  ...(["track", "type", "source", "mime", "size"] as const),
  ...(["egress", "ingress", "status", "input", "started", "ended", "code", "failed"] as const),
  ...(["state", "path", "loss", "sent", "trip", "jitter", "browser", "client"] as const),
  ...(["network", "failure", "direct", "token"] as const),
] as const;
export type DetailName = (typeof detailNames)[number];

/** More events of one report are not read; the machine sends no more. */
export const maxEvents = 1_000;
/** And so many bytes of them: the line that would be one too many for 150,000 is shorter than the rest. */
export const fullBytes = 148_000;

const sid = /^(?:[A-Z]{2}_[A-Za-z0-9]{4,40})?$/;
const name = /^(?:[0-9a-f]{12}|=[\w .~%-]{1,180})?$/;
const detail = /^([a-z]{4,9})=([\w/]{1,40})$/;

/** Undefined for a line that no release of ours writes. It is left out, so that the others are still taken. */
export function parseEvent(fields: readonly string[]): SessionEvent | undefined {
  const [
    number = "",
    at = "",
    kind = "",
    room = "",
    roomName = "",
    participant = "",
    identity = "",
  ] = fields;
  if (!/^[1-9]\d{0,14}$/.test(number) || !/^\d{10,14}$/.test(at) || !isKind(kind)) return;
  if (!sid.test(room) || !sid.test(participant)) return;
  if (!name.test(roomName) || !name.test(identity)) return;
  const details: Partial<Record<DetailName, string>> = {};
  for (const field of fields.slice(7)) {
    const [, key = "", value = ""] = detail.exec(field) ?? [];
    if (isDetail(key)) details[key] = value;
  }
  return {
    ...{ number: Number(number), at: Number(at), kind, room, participant, details },
    ...{ roomName: readable(roomName), identity: readable(identity) },
  };
}

const isKind = (kind: string): kind is EventKind =>
  (eventKinds as readonly string[]).includes(kind);
const isDetail = (key: string): key is DetailName =>
  (detailNames as readonly string[]).includes(key);

/** A name that the customer chose to send is percent-encoded on its way. */
function readable(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
