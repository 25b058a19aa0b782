import { type JoinFailure, tokenRefusal } from "../test-room/join-failure";

/** Why a LiveKit server did not answer what the page asked of it. */
export type RoomFailure =
  | Exclude<JoinFailure, "no-media" | "no-room" | "token-time">
  | "token-ended"
  | "slow"
  | "gone";

const refusals: Partial<Record<JoinFailure, RoomFailure>> = {
  "token-time": "token-ended",
  "token-grant": "token-grant",
  "unknown-key": "unknown-key",
  "no-room": "gone",
};

/** What happened, and what to do about it, in order. */
export type FailureWords = { title: string; steps: readonly string[]; showsAddress?: true };

/** Why LiveKit refused, by the status and the text of its answer. */
export function refusalIn(status: number, text: string): RoomFailure {
  if (status === 404 && /"code":\s*"not_found"/.test(text)) return "gone";
  if (status !== 401 && status !== 403) return "not-livekit";
  return refusals[tokenRefusal(text)] ?? "wrong-secret";
}

const newToken = "Make a new token. On the server, run: sudo livekit-deploy rooms-token";

const failures: Readonly<Record<RoomFailure, (domain: string) => FailureWords>> = {
  "token-ended": () => ({
    title: "The token has ended.",
    steps: [
      newToken,
      "If it was new: set the clock of this computer, and look at the server's with: timedatectl",
    ],
  }),
  "token-grant": () => ({ title: "The token does not allow this.", steps: [newToken] }),
  "unknown-key": () => ({
    title: "This server does not know the key of the token.",
    steps: ["It may be a token of another server, or of a key that was rotated away.", newToken],
  }),
  "wrong-secret": () => ({
    title: "This server did not sign the token.",
    steps: ["It may be a token of another server, or not whole.", newToken],
  }),
  gone: () => ({
    title: "This is over already: the room has ended, or the participant has left.",
    steps: [],
  }),
  offline: () => ({
    title: "This computer is not connected to the internet.",
    steps: ["Connect it. The page then goes on by itself."],
  }),
  slow: (domain) => ({
    title: `${domain} did not answer within ten seconds.`,
    steps: ["The page tries again. On the server, run: sudo livekit-deploy doctor"],
  }),
  unreachable: (domain) => ({
    title: `Your browser cannot reach ${domain}.`,
    showsAddress: true,
    steps: [
      "Not found: the name does not lead to your server. Look at its A record.",
      "Not private, or another certificate problem: the certificate has ended, or Caddy has none yet.",
      "Refused, or too long: port 443 is closed in a firewall, or the server does not run.",
      "OK: a proxy of yours in front of LiveKit keeps requests of other pages away. It must pass OPTIONS and the header Access-Control-Allow-Origin on.",
    ],
  }),
  "not-livekit": (domain) => ({
    title: `What answers at ${domain} is not LiveKit.`,
    steps: [
      "Look whether another server or a CDN has the name, or a proxy of yours keeps /twirp/ away.",
      "LiveKit may be starting, or have stopped. On the server, run: sudo livekit-deploy status",
    ],
  }),
};

export function failureWords(failure: RoomFailure, domain: string): FailureWords {
  return failures[failure](domain);
}
