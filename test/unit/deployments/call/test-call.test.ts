import { TokenVerifier } from "livekit-server-sdk";
import { expect, test } from "vitest";
import { callFailure } from "~/features/deployments/call/call-failure.ts";
import { mediaPathOf } from "~/features/deployments/call/media-path.ts";
import { accessToken } from "~/features/deployments/test-room/access-token.client.ts";
import { tokenRefusal } from "~/features/deployments/test-room/join-failure.ts";

const key = "APIabcdefghijkl";
const secret = "ü".repeat(22);

test("LiveKit's own library takes the token of a test call, for ten minutes and one room", async () => {
  const grant = { canPublish: false, canSubscribe: true };
  const participant = { identity: "speaker", room: "test-call-1", grant };
  const token = await accessToken({ key, secret }, participant);
  const { exp = 0, video, sub } = await new TokenVerifier(key, secret).verify(token);
  expect(sub).toBe("speaker");
  expect(video).toEqual({
    roomJoin: true,
    room: "test-call-1",
    canPublish: false,
    canSubscribe: true,
  });
  expect(exp - Date.now() / 1_000).toBeLessThanOrEqual(600);
  await expect(new TokenVerifier(key, "another").verify(token)).rejects.toThrow();
});

const remote = { id: "R", type: "remote-candidate", address: "203.0.113.7", port: 50_123 };
const reportOf = (local: object, transport = true) => [
  ...(transport ? [{ id: "T", type: "transport", selectedCandidatePairId: "P" }] : []),
  {
    id: "P",
    type: "candidate-pair",
    localCandidateId: "L",
    remoteCandidateId: "R",
    currentRoundTripTime: 0.0421,
    ...(transport ? {} : { selected: true }),
  },
  { id: "L", type: "local-candidate", ...local },
  remote,
];

test.each([
  [
    { candidateType: "srflx", protocol: "udp" },
    "Straight to your server, over UDP: the best way",
    false,
  ],
  [{ candidateType: "host", protocol: "tcp" }, "Straight to your server, over TCP", true],
  [
    { candidateType: "relay", protocol: "udp", relayProtocol: "udp" },
    "Relayed by your server's TURN, over UDP",
    false,
  ],
  [
    { candidateType: "relay", protocol: "udp", relayProtocol: "tls" },
    "Relayed by your server's TURN, inside TLS on port 443",
    true,
  ],
])("the way of media %j is said in words, with the server's address", (local, way, hasReason) => {
  for (const browser of [true, false]) {
    const path = mediaPathOf(reportOf(local, browser));
    expect(path).toMatchObject({ way, address: "203.0.113.7:50123", roundTripMs: 42 });
    expect(Boolean(path?.reason)).toBe(hasReason);
  }
});

test("while no way is chosen none is named", () => {
  expect(mediaPathOf([remote])).toBeUndefined();
});

test.each([
  ["invalid API key: APIother", "does not know this API key"],
  [
    "invalid token: eyJ.x.y, error: token signature is invalid: signature is invalid",
    "does not belong",
  ],
  [
    "invalid token: eyJ.exp.y, error: token has invalid claims: token is expired",
    "too old or too new",
  ],
  ["requested room does not exist", "makes no room"],
])("LiveKit's %j is said in words", (message, title) => {
  const place = { domain: "media.example.com", mediaPorts: "7881/tcp" };
  expect(callFailure(tokenRefusal(message), place).title).toContain(title);
});
