/** Why somebody does not get into a room, or gets no media there. */
export const joinFailures = [
  "offline",
  "unreachable",
  "unknown-key",
  "wrong-secret",
  "token-time",
  "token-grant",
  "no-room",
  "not-livekit",
  "no-media",
] as const;

export type JoinFailure = (typeof joinFailures)[number];

/** Why LiveKit refused a token, by what it answers with 401. */
export function tokenRefusal(message: string): JoinFailure {
  if (/api key/i.test(message)) return "unknown-key";
  if (/token is (expired|not valid yet)/.test(message)) return "token-time";
  if (/room does not exist/i.test(message)) return "no-room";
  if (/permissions? denied/i.test(message)) return "token-grant";
  return "wrong-secret";
}
