import { expect, test } from "vitest";
import { explainUnseen } from "../../../../app/features/servers/explanation/explain-unseen.ts";
import type { UnseenCallFacts } from "../../../../app/features/servers/explanation/facts.ts";
import type { Evidence } from "../../../../app/features/servers/room-sessions/evidence.ts";
import {
  type EvidencePeers,
  nobody,
} from "../../../../app/features/servers/room-sessions/evidence-peers.ts";

const at = Date.parse("2026-11-28T14:00:00Z");
const app: Evidence = {
  ...{ session: "", participant: "", identity: "a".repeat(12), roomName: "b".repeat(12) },
  ...{ firstAt: at, at, state: "failed", network: "0f0f0f0f0f0f" },
};
const well = { through: 3, udp: 3 };
const said = (
  more: Partial<Evidence>,
  {
    there = {},
    elsewhere = well,
  }: Partial<Record<"there" | "elsewhere", Partial<EvidencePeers>>> = {},
): UnseenCallFacts => ({
  ...{ at, incidents: [] },
  evidence: {
    said: { ...app, ...more },
    there: { ...nobody, ...there },
    elsewhere: { ...nobody, ...elsewhere },
  },
});
const wrong = (code: string) => ({
  incidents: [{ causes: [{ code, subject: "", severity: "page" as const, since: at - 60_000 }] }],
});
const alone = { elsewhere: {} };

test.each<[string, UnseenCallFacts, string | undefined]>([
  ["a token that had ended", said({ failure: "token", token: "ended" }), "certain token.ended"],
  ["a clock that is ahead", said({ failure: "token", token: "early" }), "certain token.early"],
  [
    "a server whose clock is ahead",
    { ...said({ failure: "token", token: "ended" }), ...wrong("clock.wrong") },
    "likely token.clock",
  ],
  [
    "a server whose clock is behind",
    { ...said({ failure: "token", token: "early" }), ...wrong("clock.wrong") },
    "likely token.clock",
  ],
  [
    "a token of a former key, on a server whose clock is wrong too",
    { ...said({ failure: "token" }), ...wrong("clock.wrong") },
    "likely token.refused",
  ],
  ["a token of a former key", said({ failure: "token" }), "likely token.refused"],
  ["a room that is full", said({ failure: "refused" }), "likely join.refused"],
  ["no way for media", said({ failure: "media", direct: "silent" }), "likely media.proxy"],
  ["no way for media, alone", said({ failure: "media" }, alone), "unknown media.unknown"],
  [
    "no way for media, nor for others in other networks",
    said({ failure: "media" }, { elsewhere: { failed: 2 } }),
    "likely media.unknown",
  ],
  [
    "LiveKit not running",
    { ...said({ failure: "other" }), ...wrong("livekit.silent") },
    "likely join.server",
  ],
  ["WebSocket cut by a network", said({ failure: "unreachable" }), "likely join.network"],
  [
    "a filter on one device",
    said({ failure: "unreachable" }, { there: { through: 2 } }),
    "likely join.device",
  ],
  ["nothing else known", said({ failure: "unreachable" }, alone), "unknown join.unknown"],
  ["a server that is slow to answer", said({ failure: "timeout" }), "unknown join.unknown"],
  ["no reason", said({}), "unknown join.unknown"],
  ["an end in a call", said({ state: "ended", failure: "broken" }), "unknown break.unknown"],
  [
    "a second tab",
    said({ state: "ended", failure: "duplicate" }),
    "certain said.DUPLICATE_IDENTITY",
  ],
  ["a camera", said({ state: "ended", failure: "camera" }), "certain device.camera"],
  ["443 alone", said({ state: "ended", way: "relay-tls", direct: "silent" }), "likely way.443"],
  ["loss", said({ state: "ended", way: "udp", lossPermille: 83 }), "likely loss.network"],
  ["a good call", said({ state: "connected", way: "udp", lossPermille: 3 }), undefined],
  ["a relay that an app chose", said({ state: "connected", way: "relay-tls" }), undefined],
  ["nothing that came", { at, incidents: [] }, "unknown absent"],
  [
    "nothing that came, and a name that leads nowhere by IPv6",
    { at, ...wrong("dns.ipv6") },
    "unknown absent.ipv6",
  ],
  [
    "443 alone, and TURN's name at a proxy that passes nothing but HTTP",
    { ...said({ failure: "media", direct: "silent" }), ...wrong("dns.proxied") },
    "likely media.turn",
  ],
  [
    "nothing that came, and a certificate that ended",
    { at, ...wrong("cert.invalid") },
    "likely absent.server",
  ],
])("the cause of %s is first, as sure as it is", (_, facts, first) => {
  const [explanation] = explainUnseen(facts);
  expect(explanation && `${explanation.confidence} ${explanation.code}`).toBe(first);
});

test("the first sentence says how many more there were from the same network", () => {
  const facts = said({ failure: "media", direct: "silent" }, { there: { failed: 3 } });
  expect(explainUnseen(facts)[0]?.title).toBe(
    "Their network lets no UDP through, and cuts TURN inside TLS, likely by a proxy that opens TLS; 3 people from there too.",
  );
  expect(explainUnseen(facts)[0]?.because).toContain("Their network is 0f0f0f.");
});
