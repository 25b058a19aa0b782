import type { PairKind } from "../test-room/candidate-pair";
import type { WayOutcome } from "./result";
import type { Way, WayFailure } from "./ways";

/** How each way is tried. */
export const wayLabels: Readonly<Record<Way, string>> = {
  usual: "As every call connects",
  tcp: "With TCP alone",
  relay: "Relayed by TURN alone",
};

const pairWords: Readonly<Record<PairKind, string>> = {
  udp: "Straight to the server, over UDP",
  tcp: "Straight to the server, over TCP",
  "relay-udp": "Relayed by the server's TURN, over UDP",
  "relay-tcp": "Relayed by the server's TURN, over TCP",
  "relay-tls": "Relayed by the server's TURN, inside TLS",
  relay: "Relayed by the server's TURN",
};

const failureWords: Readonly<Record<WayFailure, string>> = {
  offline: "This computer was offline",
  unreachable: "The server was not reached",
  "unknown-key": "The API key was refused",
  "wrong-secret": "The signature was refused",
  "token-time": "The token was too old or too new",
  "token-grant": "The token was refused",
  "no-room": "The server made no room",
  "not-livekit": "The answer was not LiveKit's",
  "no-media": "No way for sound and picture",
  duplicate: "Interrupted by another test",
  "not-forced": "The connection did not come back",
};

/** What happened on a way, in words. What was tried is not what happened: a forced way may end in another one. */
export function outcomeWords(outcome: WayOutcome): string {
  switch (outcome.state) {
    case "connected":
      return pairWords[outcome.by];
    case "failed":
      return failureWords[outcome.failure];
    default:
      return "Not tried";
  }
}

/** The figures of a way: port and times. */
export function outcomeFigures(outcome: WayOutcome): string {
  if (outcome.state !== "connected") return "";
  const { port, connectMs, roundTripMs } = outcome;
  return [
    `port ${port}`,
    `connected in ${connectMs} ms`,
    ...(roundTripMs === undefined ? [] : [`round trip ${roundTripMs} ms`]),
  ].join(", ");
}
