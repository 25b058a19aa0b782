import fc from "fast-check";
import { expect, test } from "vitest";
import { explain } from "../../../../app/features/servers/explanation/explain.ts";
import { explainUnseen } from "../../../../app/features/servers/explanation/explain-unseen.ts";
import type { CallFacts } from "../../../../app/features/servers/explanation/facts.ts";
import {
  aborted,
  at,
  began,
  camera,
  facts,
  found,
  left,
  me,
  microphone,
  others,
  second,
  someone,
  wrong,
} from "../../../support/servers/calls/call-facts.ts";
import { anyEvidence } from "../../../support/servers/calls/call-peers.ts";

type Case = [made: string, facts: CallFacts, first: string];
const madeCases: Case[] = [
  // LiveKit's own word.
  ["a restart in a call", facts(left("SERVER_SHUTDOWN")), "certain said.SERVER_SHUTDOWN"],
  [
    "an update of LiveKit",
    facts(left("SERVER_SHUTDOWN"), { changes: [{ code: "node", at: at(31) }] }),
    "certain said.SERVER_SHUTDOWN",
  ],
  [
    "a reboot",
    facts(left("SERVER_SHUTDOWN"), { changes: [{ code: "boot", at: at(32) }] }),
    "certain said.SERVER_SHUTDOWN",
  ],
  ["a removal", facts(left("PARTICIPANT_REMOVED")), "certain said.PARTICIPANT_REMOVED"],
  ["a room that was ended", facts(left("ROOM_DELETED")), "certain said.ROOM_DELETED"],
  ["a room that LiveKit closed", facts(left("ROOM_CLOSED")), "certain said.ROOM_CLOSED"],
  ["a second tab", facts(left("DUPLICATE_IDENTITY")), "certain said.DUPLICATE_IDENTITY"],
  [
    "a second tab that is seen",
    facts(left("DUPLICATE_IDENTITY", 30, me), others(someone({ ...me, joinedAt: at(30) }))),
    "certain said.DUPLICATE_IDENTITY",
  ],
  [
    "a telephone that nobody answers",
    facts(left("USER_UNAVAILABLE", 1, { kind: "SIP" })),
    "certain said.USER_UNAVAILABLE",
  ],
  [
    "a telephone call that is refused",
    facts(left("USER_REJECTED", 1, { kind: "SIP" })),
    "certain said.USER_REJECTED",
  ],
  [
    "a trunk with wrong credentials",
    facts(left("SIP_TRUNK_FAILURE", 1, { kind: "SIP" })),
    "certain said.SIP_TRUNK_FAILURE",
  ],
  [
    "an agent that throws",
    facts(left("AGENT_ERROR", 5, { kind: "AGENT" })),
    "certain said.AGENT_ERROR",
  ],
  [
    "a removal while the server is also loaded",
    facts(left("PARTICIPANT_REMOVED"), { figures: { processor: 95 } }),
    "certain said.PARTICIPANT_REMOVED",
  ],
  // Never through.
  [
    "a network that allows only 443, of one person",
    facts(aborted(20), others(someone())),
    "likely media.network",
  ],
  [
    "UDP blocked and TURN off, as LiveKit says it",
    facts(left("MEDIA_FAILURE", 1), others(someone(), someone())),
    "likely media.network",
  ],
  [
    "a proxy that opens TLS, after the join",
    facts(left("JOIN_FAILURE", 1), others(someone())),
    "likely media.network",
  ],
  [
    "the machine's firewall closed",
    facts(aborted(20), { incidents: [wrong("firewall.closed")] }),
    "likely media.server",
  ],
  [
    "the provider's firewall closed, seen from outside",
    facts(aborted(20), { incidents: [wrong("ice.closed")] }),
    "likely media.server",
  ],
  [
    "a CDN in front of the name",
    facts(aborted(20), { incidents: [wrong("dns.proxied")] }),
    "likely media.server",
  ],
  [
    "TURN that gives no relay",
    facts(left("MEDIA_FAILURE", 1), { incidents: [wrong("turn.refused")] }),
    "likely media.server",
  ],
  [
    "a wrong public address after a move",
    facts(aborted(20), { incidents: [wrong("address.unknown")] }),
    "likely media.server",
  ],
  [
    "a firewall that is closed for everybody",
    facts(aborted(20), {
      ...others(aborted(18), aborted(25)),
      incidents: [wrong("firewall.closed")],
    }),
    "likely media.server",
  ],
  [
    "nobody in the room gets through, who may be in one network",
    facts(aborted(20), others(aborted(18), aborted(25))),
    "unknown media.unknown",
  ],
  ["somebody alone who gets nothing through", facts(aborted(20)), "unknown media.unknown"],
  [
    "a network with only 443 where TURN over TLS is off, too: others got through",
    facts(aborted(20), { ...others(someone()), incidents: [wrong("turn.tls.silent")] }),
    "likely media.turn",
  ],
  [
    "a firewall that closed in between: some got through, some not",
    facts(aborted(20), {
      ...others(someone({ joinedAt: at(-20) }), aborted(21)),
      incidents: [wrong("firewall.closed", at(-5))],
    }),
    "likely media.server",
  ],
  [
    "a network with only 443, of which no time of joining is known",
    facts(aborted(0, "JOIN_FAILURE"), others(someone())),
    "likely media.network",
  ],
  ["a page that was closed at once", facts(aborted(1)), "unknown gave-up"],
  [
    "a page that was loaded again",
    facts(aborted(1, "", me), others(someone({ ...me, joinedAt: began + 3 * second }))),
    "unknown through-later",
  ],
  [
    "a second try that gets through",
    facts(aborted(20, "", me), others(someone({ ...me, joinedAt: at(2) }))),
    "unknown through-later",
  ],
  [
    "a trunk's call that gets no media through",
    facts(left("MEDIA_FAILURE", 1, { kind: "SIP" }), others(someone())),
    "unknown media.unknown",
  ],
  // Broken.
  [
    "a train in a tunnel",
    facts(left("CONNECTION_TIMEOUT", 10), others(someone(), someone())),
    "likely break.network",
  ],
  [
    "a telephone that goes from WLAN to 4G",
    facts(
      left("SIGNAL_CLOSE", 10, me),
      others(someone({ ...me, joinedAt: at(10) + 8 * second }), someone()),
    ),
    "likely break.back",
  ],
  [
    "a laptop that is closed, alone in a room",
    facts(left("SIGNAL_CLOSE", 10)),
    "unknown break.unknown",
  ],
  [
    "a browser that is killed while others stay",
    facts(left("SIGNAL_CLOSE", 10), others(someone(), someone())),
    "unknown break.unknown",
  ],
  ["a timeout of somebody alone", facts(left("CONNECTION_TIMEOUT", 10)), "unknown break.unknown"],
  [
    "a client that comes back after an hour",
    facts(left("STATE_MISMATCH", 10), others(someone())),
    "unknown break.unknown",
  ],
  [
    "the provider's network breaks off for everybody",
    facts(
      left("CONNECTION_TIMEOUT", 10),
      others(left("CONNECTION_TIMEOUT", 10), left("SIGNAL_CLOSE", 10.2), someone()),
    ),
    "likely break.many",
  ],
  [
    "the machine goes down",
    facts(left("CONNECTION_TIMEOUT", 10), {
      ...others(left("CONNECTION_TIMEOUT", 10)),
      incidents: [wrong("down", at(9))],
    }),
    "likely break.server",
  ],
  [
    "a container that crashes",
    facts(left("SIGNAL_CLOSE", 10), { incidents: [wrong("service.down", at(11))] }),
    "likely break.server",
  ],
  [
    "Redis away for seven minutes",
    facts(left("SIGNAL_CLOSE", 10), { incidents: [wrong("redis.unreachable", at(8))] }),
    "likely break.server",
  ],
  [
    "a full disk",
    facts(left("SIGNAL_CLOSE", 10), { incidents: [wrong("disk.full")] }),
    "likely break.server",
  ],
  [
    "LiveKit that is killed for its memory",
    facts(left("", 10, { isAssumed: true }), {
      session: { startedAt: began, endedAt: at(10), end: "restart" },
    }),
    "likely restart",
  ],
  // Bad, or nothing sent.
  [
    "a network with 8 % loss at the server",
    facts(someone(), { figures: { loss: 8 } }),
    "likely quality.loss",
  ],
  [
    "Egress that starves LiveKit",
    facts(someone(), { figures: { processor: 97, recordings: 4 } }),
    "likely quality.processor",
  ],
  [
    "too many rooms for the machine",
    facts(someone(), { figures: { processor: 92 } }),
    "likely quality.processor",
  ],
  ["memory that leaks", facts(someone(), { figures: { memory: 97 } }), "likely quality.memory"],
  [
    "a camera that was never allowed",
    facts(someone(), others(someone({ tracks: [microphone, camera] }))),
    "unknown sent.no-camera",
  ],
  [
    "neither camera nor microphone allowed",
    facts(someone({ tracks: [] }), others(someone({ tracks: [microphone, camera] }))),
    "unknown sent.nothing",
  ],
  [
    "a microphone of another program",
    facts(someone({ tracks: [camera] }), others(someone({ tracks: [microphone, camera] }))),
    "unknown sent.no-microphone",
  ],
];

test("at least forty made faults have their cause first, with its confidence", () => {
  expect(madeCases.length).toBeGreaterThanOrEqual(40);
  expect(new Set(madeCases.map(([made]) => made)).size).toBe(madeCases.length);
});

test.each(madeCases)("%s", (_, given, first) => {
  expect(found(given)[0]).toBe(first);
});

test.each<[string, CallFacts]>([
  ["somebody who left by themselves", facts(someone())],
  ["somebody who is still there", facts(someone({ leftAt: undefined, reason: "" } as never))],
  ["a session that LiveKit finished", facts(left("", 30, { isAssumed: true }))],
  [
    "a session that ended in silence",
    facts(left("", 30, { isAssumed: true }), {
      session: { startedAt: began, endedAt: at(30), end: "silence" },
    }),
  ],
  ["a move to another node", facts(left("MIGRATION"))],
  [
    "a listener of a webinar",
    facts(
      someone({ tracks: [] }),
      others(someone(), ...Array.from({ length: 40 }, () => someone({ tracks: [] }))),
    ),
  ],
  ["a call without cameras", facts(someone(), others(someone(), someone()))],
  [
    "somebody who looked in for a minute",
    facts(left("CLIENT_INITIATED", 1, { tracks: [] }), others(someone())),
  ],
  ["an agent that sends nothing", facts(someone({ kind: "AGENT", tracks: [] }), others(someone()))],
  [
    "a good call while the doctor has something to say about backups",
    facts(someone(), { incidents: [wrong("backup.old"), wrong("cert.expiring")] }),
  ],
  [
    "a good call while TURN was off, which it did not need",
    facts(someone(), { incidents: [wrong("turn.tls.silent")] }),
  ],
  [
    "a good call before the server went down",
    facts(someone(), { incidents: [wrong("down", at(45))] }),
  ],
  [
    "usual figures",
    facts(someone(), { figures: { loss: 0.4, processor: 40, memory: 60, recordings: 2 } }),
  ],
  [
    "a server whose incidents cannot be read",
    { ...facts(someone()), incidents: undefined } as never,
  ],
])("of %s nothing is said", (_, given) => {
  expect(found(given)).toEqual([]);
});

test.each([
  ["a finding that ended an hour before", wrong("firewall.closed", at(-300), { endedAt: at(-60) })],
  ["a finding that came an hour later", wrong("firewall.closed", at(60))],
  ["a finding that has nothing to do with media", wrong("backup.old")],
])("%s is no cause", (_, incident) => {
  expect(found(facts(aborted(20), { incidents: [incident] }))).toEqual(["unknown media.unknown"]);
});

const codes = ["down", "firewall.closed", "turn.refused", "backup.old", "disk.full", "dns.proxied"];
const reasons = [
  ...["", "CLIENT_INITIATED", "SIGNAL_CLOSE", "CONNECTION_TIMEOUT", "MEDIA_FAILURE"],
  ...["JOIN_FAILURE", "STATE_MISMATCH", "MIGRATION", "UNKNOWN_TO_US", "constructor", "__proto__"],
];

test("nothing that LiveKit did not say itself is ever said to be certain, whatever else is known", () => {
  const anyone = fc.record({
    reason: fc.constantFrom(...reasons),
    minutes: fc.integer({ min: 0, max: 90 }),
    isAborted: fc.boolean(),
    isAssumed: fc.boolean(),
    isMine: fc.boolean(),
    kind: fc.constantFrom("", "STANDARD", "AGENT", "SIP"),
  });
  type Anyone = { isMine: boolean; isAborted: boolean; isAssumed: boolean } & {
    reason: string;
    minutes: number;
    kind: string;
  };
  const made = ({ reason, minutes, isAborted, isAssumed, isMine, kind }: Anyone) =>
    someone({
      ...{ reason, leftAt: at(minutes), kind },
      ...(isAborted ? { isAborted: true } : {}),
      ...(isAssumed ? { isAssumed: true } : {}),
      ...(isMine ? me : {}),
    });
  fc.assert(
    fc.property(
      anyone,
      fc.array(anyone, { maxLength: 8 }),
      fc.array(fc.tuple(fc.constantFrom(...codes), fc.integer({ min: -90, max: 90 }))),
      fc.record({ loss: fc.nat(100), processor: fc.nat(100), memory: fc.nat(100) }),
      fc.option(anyEvidence, { nil: undefined }),
      (who, rest, incidents, figures, heard) => {
        const given = facts(made({ ...who, isMine: true }), {
          ...{ others: rest.map(made), figures },
          ...(heard ? { evidence: heard } : {}),
          incidents: incidents.map(([code, since]) => wrong(code, at(since))),
        });
        const unseen = { at: began, incidents: given.incidents ?? [], evidence: heard ?? {} };
        for (const explanation of [...explain(given), ...explainUnseen(unseen)]) {
          expect(explanation.confidence).not.toBe("certain");
          expect(explanation.because.length).toBeGreaterThan(0);
          for (const each of explanation.because) expect(each).toBeTypeOf("string");
          expect(explanation.next.length).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 2_000, seed: 37 },
  );
});

test("each explanation is one sentence or two, and names nobody", () => {
  for (const [, given] of madeCases) {
    for (const { title, because } of explain(given)) {
      expect(title).toMatch(/^[A-Z].*\.$/);
      expect([title, ...because].join(" ")).not.toMatch(/\bada\b|id\d/);
    }
  }
});
