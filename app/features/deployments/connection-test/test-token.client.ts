import { accessToken, type Credentials, type TestGrant } from "../test-room/access-token.client";
import { testRoomName, testRoomPrefix } from "../test-room/room-name";
import { claimsOf } from "../test-room/token-claims";
import { linkSeconds } from "./link";

/** As little as LiveKit connects a participant with: they are hidden, send nothing and receive nothing. */
const leastGrant: TestGrant = {
  hidden: true,
  canPublish: false,
  canSubscribe: false,
  canPublishData: false,
};

export function makeTestToken(credentials: Credentials, validSeconds: number): Promise<string> {
  const [identity, room] = ["connection-test", testRoomName()];
  return accessToken(credentials, { identity, room, grant: leastGrant, validSeconds });
}

const command = "On the server, run: sudo livekit-deploy test-token";

/**
 * What is wrong with a token that somebody pasted or that a link carries; undefined for a good one. A token that allows
 * more than a test needs is refused, since a link shows it to whoever has it. Only the server checks the signature.
 */
export function testTokenProblem(token: string, now: number): string | undefined {
  const claims = claimsOf(token);
  if (!claims) return `This is not a whole token. ${command}`;
  const { room, roomJoin, ...grant } = claims.video;
  const isLeast =
    roomJoin === true &&
    typeof room === "string" &&
    room.startsWith(testRoomPrefix) &&
    Object.keys(leastGrant).every((name) => name in grant) &&
    Object.entries(grant).every(([name, value]) => value === leastGrant[name as keyof TestGrant]);
  if (!isLeast) return `This token allows more than a test needs. ${command}`;
  const seconds = claims.exp - now / 1_000;
  if (seconds <= 0) return `This token has ended. ${command}`;
  // A minute for two clocks that differ.
  if (seconds > linkSeconds + 60) return `This token is good for more than a day. ${command}`;
}
