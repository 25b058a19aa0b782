import { claimsOf } from "../test-room/token-claims";

/** A token that lists rooms. The page that it was pasted into holds it, and nothing else does. */
export type RoomsToken = {
  text: string;
  /** In milliseconds since 1970, by its own word. */
  endsAt: number;
  /** Whether it also ends rooms. */
  mayEnd: boolean;
  /** The room whose people it lists, removes and mutes; LiveKit takes no token for those of every room. */
  room?: string;
};

const command = "On the server, run: sudo livekit-deploy rooms-token";
const maxSeconds = 300;
/** For two clocks that differ. */
const leewaySeconds = 60;

/** What such a token may say beside its room. Who joins no room publishes and subscribes to nothing, whatever it says. */
const harmless: ReadonlySet<string> = new Set([
  ...["roomList", "roomCreate", "roomAdmin", "room"],
  ...["canPublish", "canSubscribe", "canPublishData", "canUpdateOwnMetadata", "hidden"],
]);
/** Other services that a token of LiveKit's may open. */
const otherServices = ["sip", "inference", "observability", "agent"];

/**
 * Reads a token that somebody pasted. One that is good for longer than five minutes, or for more than this page does, is
 * refused, so that nobody leaves a key to everything in a page. Only the server checks the signature.
 */
export function readRoomsToken(
  typed: string,
  now: number,
): { ok: true; token: RoomsToken } | { ok: false; problem: string } {
  const text = typed.trim();
  const refuse = (problem: string) => ({ ok: false as const, problem: `${problem} ${command}` });
  if (text === "") return refuse("Paste a token.");
  const claims = claimsOf(text);
  if (!claims) return refuse("This is not a whole token.");
  const { video, exp } = claims;
  if (video.roomList !== true) return refuse("This token does not list rooms.");
  const surplus = Object.entries(video).filter(([name, value]) => value && !harmless.has(name));
  if (surplus.length > 0 || otherServices.some((name) => claims[name])) {
    return refuse("This token allows more than this page needs.");
  }
  const seconds = exp - now / 1_000;
  if (seconds <= 0) return refuse("This token has ended.");
  if (seconds > maxSeconds + leewaySeconds) {
    return refuse("This token is good for more than five minutes.");
  }
  const room = video.roomAdmin === true && typeof video.room === "string" ? video.room : undefined;
  return {
    ok: true,
    token: {
      ...{ text, endsAt: exp * 1_000, mayEnd: video.roomCreate === true },
      ...(room ? { room } : {}),
    },
  };
}
