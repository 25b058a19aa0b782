/** What the tests' machines say of sessions: ids and hashes as a real one makes them. */
export const sessions = {
  spool: "0123456789abcdef",
  begin: 1_795_313_698_000,
  room: "RM_k3KR8L8i5SJd",
  roomHash: "0a1b2c3d4e5f",
  identityHash: "a".repeat(12),
  participant: "PA_alice1234",
} as const;

/**
 * The lines of a report about these events, each a kind, seconds after the beginning, and details; after "@" the letter
 * of another participant. The first one has this number.
 */
export function sessionLines(
  events: readonly string[],
  { first = 1, lost = 0, sid = sessions.room as string, begin = sessions.begin as number } = {},
): string[] {
  return [
    `events\t${sessions.spool}\t${first + events.length - 1}\t${lost}\t0`,
    ...events.map((event, at) => {
      const [kindAndWho = "", seconds = "0", ...more] = event.split(" ");
      const [kind = "", who = "a"] = kindAndWho.split("@");
      const hasNobody = /^(room|egress|ingress)_/.test(kind);
      return [
        ...["event", first + at, begin + Number(seconds) * 1_000, kind, sid, sessions.roomHash],
        ...(hasNobody ? ["", ""] : [`PA_${who}lice1234`, who.repeat(12)]),
        ...more,
      ].join("\t");
    }),
  ];
}

/** A call of two, of whom one breaks off, with somebody who never got through, a recording that failed, and what an app said. */
export const wholeCall = [
  ...["room_started 0", "participant_joined@a 1", "participant_joined@b 5 kind=SIP"],
  "track_published@a 2 track=TR_VC8bq source=CAMERA type=VIDEO mime=video/VP8 size=1280x720",
  "track_published@a 2 track=TR_AMx3p source=MICROPHONE mime=audio/opus",
  "participant_connection_aborted@c 20 reason=JOIN_FAILURE",
  "egress_started 30 egress=EG_abcdef status=EGRESS_ACTIVE started=1795313728000",
  "egress_ended 40 egress=EG_abcdef status=EGRESS_FAILED code=500 ended=1795313738000",
  ...[
    "participant_left@b 600 reason=CLIENT_INITIATED",
    "participant_left@a 720 reason=SIGNAL_CLOSE",
  ],
  "room_finished 740",
  "call_evidence@a 741 state=ended path=relay_tls loss=12 trip=90 browser=chrome/141 network=0f0f0f0f0f0f failure=broken",
];

const network = "0f0f0f0f0f0f";

/** Of an office whose firewall allows only port 443, and somebody elsewhere who is well. */
export const evidenceOfOffice = [
  `d connected path=relay_tls loss=12 trip=90 jitter=9 browser=chrome/141 client=js/2_16_1 network=${network} direct=silent`,
  `e connected path=relay_tls loss=80 trip=95 jitter=20 browser=firefox/144 network=${network} direct=silent`,
  `f failed failure=media browser=chrome/141 network=${network}`,
  "c connected path=udp loss=1 trip=20 jitter=2 browser=safari/26 network=1e1e1e1e1e1e",
] as const;

/** Somebody whose camera was never allowed, in two calls, of which one could have no microphone either. */
export const evidenceOfCamera = [
  "b connected path=udp loss=2 trip=30 failure=camera browser=chrome/141 network=2d2d2d2d2d2d",
  "b ended path=udp loss=2 trip=30 failure=microphone browser=chrome/141 network=2d2d2d2d2d2d",
] as const;

/**
 * Nine days of somebody whose calls lose packets from 19:00 to 22:00 UTC and at no other hour, while others elsewhere are
 * well, each with the time at which it was said.
 */
export const evidenceOfEvenings = Array.from({ length: 9 }, (_, day) => {
  const well = "connected path=udp loss=4 trip=40 jitter=3";
  const bad = "ended path=udp loss=90 trip=210 jitter=35";
  const [home, elsewhere] = ["network=3c3c3c3c3c3c", "network=4b4b4b4b4b4b"];
  const at = (hour: number) => Date.UTC(2026, 10, 12 + day, hour);
  return [
    ...[9, 15].map((hour) => [at(hour), `9 ${well} ${home}`] as const),
    ...[19, 21].map((hour) => [at(hour), `9 ${bad} ${home}`] as const),
    ...[19, 21].map((hour) => [at(hour), `8 ${well} ${elsewhere}`] as const),
  ];
}).flat();

/** The lines of a report about these: the letter of a person, the state, and details; one a second, or at their own. */
export function evidenceLines(
  said: readonly (string | readonly [ms: number, words: string])[],
): string[] {
  return [
    `events\tfedcba9876543210\t${said.length}\t0\t0`,
    ...said.map((each, at) => {
      const [ms, words] = typeof each === "string" ? [sessions.begin + at * 1_000, each] : each;
      const [who = "", state = "", ...details] = words.split(" ");
      const isIn = state !== "failed";
      return [
        ...["event", at + 1, ms, "call_evidence"],
        ...[isIn ? sessions.room : "", sessions.roomHash, isIn ? `PA_${who}person${at + 1}` : ""],
        ...[who.repeat(12), `state=${state}`, ...details],
      ].join("\t");
    }),
  ];
}

/** An agent's session as the machine's insights.py reports it: two turns, a tool that failed, and an interruption. */
export const agentJob = "AJ_abcdefgh1234";

export function agentLines(room: string, begin: number, through = 7): string[] {
  const at = (seconds: number) => `at=${begin + seconds * 1_000}`;
  return [
    `agents\t${through}`,
    `agent\t${through}\t${agentJob}\t${room}\tagent=desk\tsdk=1.8.9\tstarted=${begin}\tended=${begin + 60_000}\treason=CR_PARTICIPANT_DISCONNECTED\terrors-llm=2\taudio=1`,
    "agent-usage\tmodel=m-1\tinput_tokens=124\toutput_tokens=28",
    `agent-entry\t${at(2)}\tby=user\tstt=200`,
    `agent-entry\t${at(3)}\tby=agent\treply=850\tllm=420\tspeech=4000`,
    `agent-entry\t${at(10)}\tby=tool\tname=find_booking\ttook=1250\tfailed=1`,
    `agent-entry\t${at(12)}\tby=agent\treply=1300\tllm=700\tcut=1`,
  ];
}
