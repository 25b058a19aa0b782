import type { AgentBatch } from "../agent-sessions/agent-session";
import type { EventBatch, EventKind, SessionEvent } from "../room-sessions/session-event";
import { simulatedAgent } from "./simulated-agents";
import { participantsAt, type Usage } from "./simulated-past";

const minuteMs = 60_000;
/** The first call began so long ago, and the others so long after each other. */
const pastMs = 40 * 60 * minuteMs;
const everyMs = 5 * 60 * minuteMs;
/** So many are in one call at most. */
const largest = 5;

/**
 * Somebody in a call, from and until so many minutes after it began; without an end they are still in it. `failure`:
 * LiveKit's word for why it ended, where they did not leave by themselves. `said`: what the customer's app said of it.
 */
type Stay = {
  identity: string;
  from: number;
  until?: number;
  failure?: string;
  isAgent?: true;
  said?: SessionEvent["details"];
};
/** `room`: its sid. `minutes`: how long it took; undefined while it goes on. */
type Call = {
  room: string;
  roomName: string;
  at: number;
  stays: readonly Stay[];
  minutes?: number;
};

/**
 * What the healthy server of a trial has said of its rooms: calls of the last two days, and those of which its figures of
 * now are made. Names are hashes, as they come from machines. In one call a connection broke off twice and another one
 * never came to be, and in two an agent spoke, once with trouble, so that there are sessions worth looking at; the app of
 * the customer said of the broken call and of one before it what it saw.
 */
export function simulatedSessions(
  usage: Usage,
  now: number,
): { events: EventBatch; agents: AgentBatch } {
  const rooms = Array.from({ length: 6 }, newHash);
  const people = Array.from({ length: 30 }, newHash);
  const call = (place: number, startedAt: number, seats: number, minutes?: number): Call => ({
    ...{ room: newSid("RM"), roomName: rooms[place % rooms.length] ?? "", at: startedAt },
    stays: Array.from({ length: seats }, (_, seat) => ({
      ...{ identity: people[(place * largest + seat) % people.length] ?? "", from: seat / 2 },
      ...(minutes === undefined ? {} : { until: minutes - seat / 4 }),
    })),
    ...(minutes === undefined ? {} : { minutes }),
  });
  const past = Array.from({ length: pastMs / everyMs }, (_, place) =>
    call(place, now - pastMs + place * everyMs, 2 + (place % 4), 12 + ((place * 17) % 50)),
  );
  const present = participantsAt(usage, now);
  const running = Array.from({ length: Math.ceil(present / largest) }, (_, place) =>
    call(place, now - (8 + place * 9) * minuteMs, Math.min(largest, present - place * largest)),
  );
  const [office, hotel] = [newHash(), newHash()];
  const good = (place: number) => ({
    ...{ state: "ended", path: place % 3 === 2 ? "tcp" : "udp", loss: `${1 + (place % 4)}` },
    ...{ trip: `${28 + place * 9}`, jitter: "4", browser: "chrome/141", network: office },
  });
  const withEvidence = (each: Call): Call => ({
    ...each,
    stays: each.stays.map((stay, place) => ({ ...stay, said: good(place) })),
  });
  const whole = withEvidence(call(rooms.length - 1, now - 75 * minuteMs, 2, 25));
  const [one, two] = [newHash(), newHash()];
  const lossy = {
    ...{ state: "ended", path: "relay_tls", loss: "64", trip: "210", jitter: "38" },
    ...{ browser: "safari/18_4", network: hotel, failure: "broken" },
  };
  const broken = [
    { identity: one, from: 2, until: 6, failure: "SIGNAL_CLOSE", said: lossy },
    { identity: one, from: 7, until: 11, failure: "SIGNAL_CLOSE", said: lossy },
    {
      ...{ identity: two, from: 9, failure: "CONNECTION_TIMEOUT" },
      said: { state: "failed", failure: "media", browser: "firefox/143", network: hotel },
    },
  ];
  const spoken = [
    spokenCall(now - 130 * minuteMs, { minutes: 3, isTroubled: false }),
    spokenCall(now - 95 * minuteMs, { minutes: 4, isTroubled: true }),
  ];
  const calls = [
    ...past.slice(0, -1),
    ...past.slice(-1).map(withEvidence),
    { ...whole, stays: [...whole.stays, ...broken] },
    ...spoken.map(({ call }) => call),
    ...running,
  ];
  const events = calls
    .flatMap(eventsOf)
    .toSorted((former, latter) => former.at - latter.at)
    .map((event, place) => ({ ...event, number: place + 1 }));
  return {
    events: { spool: "0".repeat(16), through: events.length, lost: 0, unverified: 0, events },
    agents: { through: spoken.length, sessions: spoken.map(({ agent }) => agent) },
  };
}

/** A caller who spoke with an agent, and what the agent did. */
function spokenCall(at: number, { minutes, isTroubled }: { minutes: number; isTroubled: boolean }) {
  const room = newSid("RM");
  const stays = [
    { identity: newHash(), from: 0, until: minutes },
    { identity: newHash(), from: 0, until: minutes, isAgent: true as const },
  ];
  const until = at + minutes * minuteMs;
  return {
    call: { room, roomName: newHash(), at, stays, minutes },
    agent: simulatedAgent({ room, from: at, until, isTroubled }),
  };
}

type CallEvent = Omit<SessionEvent, "number">;

function eventsOf({ room, roomName, at, stays, minutes }: Call): CallEvent[] {
  const event = (kind: EventKind, after: number, more: Partial<CallEvent> = {}): CallEvent => ({
    ...{ kind, at: at + after * minuteMs, room, roomName },
    ...{ participant: "", identity: "", details: {}, ...more },
  });
  return [
    event("room_started", 0),
    ...stays.flatMap(({ identity, from, until, failure, isAgent, said }) => {
      const who = { participant: newSid("PA"), identity };
      const ended = { ...who, details: { reason: failure ?? "CLIENT_INITIATED" } };
      const evidence = said
        ? [event("call_evidence", until ?? from, { ...who, details: said })]
        : [];
      if (failure && until === undefined) {
        return [event("participant_connection_aborted", from, ended), ...evidence];
      }
      return [
        event("participant_joined", from, {
          ...who,
          details: { kind: isAgent ? "AGENT" : "STANDARD" },
        }),
        ...(isAgent ? tracks.slice(1) : tracks).map((track) =>
          event("track_published", from, { ...who, details: { ...track, track: newSid("TR") } }),
        ),
        ...evidence,
        ...(until === undefined ? [] : [event("participant_left", until, ended)]),
      ];
    }),
    ...(minutes === undefined ? [] : [event("room_finished", minutes)]),
  ];
}

const tracks = [
  { source: "CAMERA", mime: "video/VP8", size: "1280x720" },
  { source: "MICROPHONE", mime: "audio/opus" },
];

/** As long as a machine's. */
const newHash = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 12);
const newSid = (prefix: string): string => `${prefix}_${newHash()}`;
