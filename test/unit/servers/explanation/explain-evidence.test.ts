import { expect, test } from "vitest";
import { explain } from "../../../../app/features/servers/explanation/explain.ts";
import type { CallFacts } from "../../../../app/features/servers/explanation/facts.ts";
import {
  aborted,
  at,
  facts,
  found,
  left,
  me,
  others,
  second,
  someone,
  wrong,
} from "../../../support/servers/calls/call-facts.ts";
import { noMedia, said, well } from "../../../support/servers/calls/call-peers.ts";

const madeCases: [made: string, facts: CallFacts, first: string][] = [
  [
    "an office with a proxy that opens TLS",
    facts(aborted(20), said(noMedia, { failed: 3 }, { ...well, relayed: 1 })),
    "likely media.proxy",
  ],
  [
    "the same, with nobody else on TURN, which a check saw work",
    facts(aborted(20), said(noMedia)),
    "likely media.proxy",
  ],
  [
    "the same, where nothing is known of the server's TURN",
    { ...facts(aborted(20), said(noMedia)), incidents: undefined } as never,
    "likely media.network",
  ],
  [
    "no UDP, and a TURN that is down",
    facts(aborted(20), { ...said(noMedia), incidents: [wrong("turn.tls.silent")] }),
    "likely media.turn",
  ],
  [
    "a small MTU behind a VPN",
    facts(aborted(20), said({ ...noMedia, direct: "open" })),
    "likely media.handshake",
  ],
  [
    "an app that says at once that it got no media, and was gone",
    facts(aborted(1), said(noMedia)),
    "likely media.proxy",
  ],
  [
    "an office without UDP",
    facts(someone(), said({ way: "tcp", direct: "silent" })),
    "likely way.udp",
  ],
  [
    "a firewall on one device of an office",
    facts(someone(), said({ way: "tcp", direct: "silent" }, { through: 2, udp: 2 })),
    "likely way.device",
  ],
  [
    "an office with 443 alone",
    facts(someone(), said({ way: "relay-tls", direct: "silent" })),
    "likely way.443",
  ],
  [
    "a server whose UDP ports are closed",
    facts(someone(), said({ way: "tcp", direct: "silent" }, {}, { through: 2, blocked: 2 })),
    "likely way.server",
  ],
  [
    "nobody else to compare with",
    facts(someone(), said({ way: "tcp", direct: "silent" }, {}, {})),
    "unknown way.unknown",
  ],
  ["8 % loss at home", facts(someone(), said({ lossPermille: 80 })), "likely loss.network"],
  [
    "8 % loss in one corner of an office",
    facts(someone(), said({ lossPermille: 80 }, { through: 4 })),
    "likely loss.device",
  ],
  [
    "8 % loss for all",
    facts(someone(), said({ lossPermille: 80 }, {}, { through: 4, poor: 3 })),
    "likely loss.server",
  ],
  [
    "8 % missing at home, which another in the room lost on the way to the server",
    facts(
      someone(),
      said({ lossPermille: 80, sentLossPermille: 0 }, {}, { ...well, lossySenders: 1 }),
    ),
    "likely loss.others",
  ],
  [
    "8 % loss at home, which is most of a small server's",
    facts(someone(), { ...said({ lossPermille: 80 }), figures: { loss: 4 } }),
    "likely loss.network",
  ],
  [
    "loss while Egress starves LiveKit",
    facts(someone(), { ...said({ lossPermille: 80 }), figures: { processor: 97 } }),
    "likely quality.processor",
  ],
  ["a satellite", facts(someone(), said({ roundTripMs: 640 })), "likely slow.network"],
  [
    "a line that is too narrow",
    facts(someone(), said({ roundTripMs: 640, lossPermille: 200 })),
    "likely full.network",
  ],
  ["an uneven line", facts(someone(), said({ jitterMs: 90 })), "likely jitter.network"],
  [
    "a camera that the browser refused",
    facts(someone(), said({ failure: "camera" })),
    "certain device.camera",
  ],
  [
    "an office whose line went away",
    facts(left("CONNECTION_TIMEOUT", 10), {
      ...others(left("CONNECTION_TIMEOUT", 10, { identity: "eve" }), someone()),
      ...said({}, { identities: ["eve"], through: 1 }),
    }),
    "likely break.network",
  ],
  [
    "a page that was loaded again after a while",
    facts(left("CLIENT_INITIATED", 10, me), others(someone({ ...me, joinedAt: at(10) + second }))),
    "likely reloaded",
  ],
];

test.each(madeCases)("%s", (_, given, first) => {
  expect(found(given)[0]).toBe(first);
});

const explanationKeys = ["because", "code", "confidence", "next", "title"];

test("each explanation by an app's word is one sentence, rests on something, and names nobody", () => {
  for (const [, given] of madeCases) {
    for (const explanation of explain(given)) {
      const { title, because, next } = explanation;
      expect(Object.keys(explanation).sort()).toEqual(explanationKeys);
      expect(title).toMatch(/^[A-Z].*\.$/);
      expect([because.length, next.length].every((length) => length > 0)).toBe(true);
      expect([title, ...because].join(" ")).not.toMatch(/\bada\b|id\d/);
    }
  }
});

test.each<[string, CallFacts]>([
  ["a call over UDP, by the app", facts(someone(), said({ lossPermille: 12, roundTripMs: 80 }))],
  ["TCP by choice, where no UDP was tried", facts(someone(), said({ way: "tcp" }))],
  ["a relay by choice", facts(someone(), said({ way: "relay-tls" }))],
  [
    "UDP that was answered, although TCP was taken",
    facts(someone(), said({ way: "tcp", direct: "open" })),
  ],
  [
    "a microphone that was refused at first, and sent sound later",
    facts(someone(), said({ failure: "microphone" })),
  ],
  [
    "a good call while others elsewhere had bad ones",
    facts(someone(), said({}, {}, { through: 3, poor: 3 })),
  ],
])("of %s nothing is said", (_, given) => {
  expect(found(given)).toEqual([]);
});
