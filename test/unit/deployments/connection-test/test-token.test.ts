import { TokenVerifier } from "livekit-server-sdk";
import { expect, test } from "vitest";
import {
  makeTestToken,
  testTokenProblem,
} from "~/features/deployments/connection-test/test-token.client.ts";
import { accessToken } from "~/features/deployments/test-room/access-token.client.ts";

const credentials = { key: "APIabcdefghijkl", secret: "s".repeat(44) };
const now = Date.now();
const least = { hidden: true, canPublish: false, canSubscribe: false, canPublishData: false };
const participant = { identity: "test", room: "livekit-deploy-test-1", grant: least };

test("the token of a test joins one hidden room, and sends and receives nothing", async () => {
  const token = await makeTestToken(credentials, 600);
  const { video, exp = 0 } = await new TokenVerifier(credentials.key, credentials.secret).verify(
    token,
  );
  expect(video).toEqual({
    roomJoin: true,
    room: expect.stringMatching(/^livekit-deploy-test-[0-9a-f-]{36}$/),
    ...least,
  });
  expect(exp - now / 1_000).toBeLessThanOrEqual(601);
  expect(testTokenProblem(token, now)).toBeUndefined();
});

test.each([
  ["may publish", { grant: { ...least, canPublish: true } }],
  ["may publish data", { grant: { ...least, canPublishData: true } }],
  ["may hear others", { grant: { ...least, canSubscribe: true } }],
  ["leaves to LiveKit what it may", { grant: { canPublish: false, canSubscribe: false } }],
  ["is an administrator's", { grant: { ...least, roomAdmin: true } }],
  ["joins a room of somebody's", { room: "board-meeting" }],
])("a pasted token that %s is not taken: a link would show it", async (_, more) => {
  const token = await accessToken(credentials, { ...participant, ...more });
  expect(testTokenProblem(token, now)).toMatch(/allows more than a test needs/);
});

test("a pasted token that has ended, or is good for more than a day, is not taken", async () => {
  const token = await accessToken(credentials, { ...participant, validSeconds: 86_400 });
  expect(testTokenProblem(token, now)).toBeUndefined();
  expect(testTokenProblem(token, now + 86_402_000)).toMatch(/has ended/);
  const long = await accessToken(credentials, { ...participant, validSeconds: 90_000 });
  expect(testTokenProblem(long, now)).toMatch(/more than a day/);
});

test.each(["", "eyJ", "a.b", "a.!.c", "a.e30.c", "a.bnVsbA.c", "a.b.c.d"])(
  "%j is no whole token, and is not repeated in the sentence",
  (text) => {
    expect(testTokenProblem(text, now)).toBe(
      "This is not a whole token. On the server, run: sudo livekit-deploy test-token",
    );
  },
);
