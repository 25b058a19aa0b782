import { type PairKind, pairKinds } from "~/features/deployments/test-room/candidate-pair";
import type { SessionEvent } from "./session-event";

// What a customer's own app says of the way of a call: docs/decisions/0079. evidence.py of the bundle writes its lines.

export const evidenceFailures = [
  ...(["token", "unreachable", "timeout", "media", "refused"] as const),
  ...(["duplicate", "broken", "camera", "microphone", "other"] as const),
] as const;
export type EvidenceFailure = (typeof evidenceFailures)[number];

/** One participant's call, or one try to join that failed. Names are hashes, or begin with "=". */
export type Evidence = {
  /** The sids of LiveKit's; empty where nobody got in, or the app did not say them. */
  session: string;
  participant: string;
  identity: string;
  roomName: string;
  /** When the first and the newest of it came. */
  firstAt: number;
  at: number;
  state: "connected" | "ended" | "failed";
  /** A hash of the /24 or /48 that it came from; empty where that is not known. */
  network: string;
  way?: PairKind;
  lossPermille?: number;
  /** Of the packets that they sent alone; only newer scripts say it. What they were sent may have been lost before it came. */
  sentLossPermille?: number;
  roundTripMs?: number;
  jitterMs?: number;
  /** "chrome 141", "js 2.16.1". */
  browser?: string;
  sdk?: string;
  failure?: EvidenceFailure;
  /** Whether anything by UDP, without a relay, was answered. */
  direct?: "open" | "silent";
  /** Of a token that was refused: it had ended, or its time had not begun, by the server's clock. */
  token?: "ended" | "early";
};

/** Undefined for a line that no release of ours writes. */
export function evidenceOf({ at, details, ...event }: SessionEvent): Evidence | undefined {
  const { state } = details;
  if (state !== "connected" && state !== "ended" && state !== "failed") return;
  const path = details.path?.replaceAll("_", "-");
  const way = pairKinds.find((each) => each === path);
  const failure = evidenceFailures.find((each) => each === details.failure);
  const direct = (["open", "silent"] as const).find((each) => each === details.direct);
  const token = (["ended", "early"] as const).find((each) => each === details.token);
  const network = /^[0-9a-f]{12}$/.test(details.network ?? "") ? (details.network ?? "") : "";
  const [lossPermille, sentLossPermille, roundTripMs, jitterMs] = [
    wholeOf(details.loss, 1_000),
    wholeOf(details.sent, 1_000),
    wholeOf(details.trip, 60_000),
    wholeOf(details.jitter, 60_000),
  ];
  const [browser, sdk] = [productOf(details.browser), productOf(details.client)];
  return {
    ...{ session: event.room, participant: event.participant, identity: event.identity },
    ...{ roomName: event.roomName, firstAt: at, at, state, network },
    ...(way ? { way } : {}),
    ...(lossPermille === undefined ? {} : { lossPermille }),
    ...(sentLossPermille === undefined ? {} : { sentLossPermille }),
    ...(roundTripMs === undefined ? {} : { roundTripMs }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
    ...(browser ? { browser } : {}),
    ...(sdk ? { sdk } : {}),
    ...(failure ? { failure } : {}),
    ...(direct ? { direct } : {}),
    ...(token ? { token } : {}),
  };
}

function wholeOf(text: string | undefined, most: number): number | undefined {
  if (!text || !/^\d{1,6}$/.test(text)) return;
  return Math.min(Number(text), most);
}

const productOf = (text: string | undefined): string | undefined =>
  text && /^[a-z]{2,12}\/[\d_]{1,20}$/.test(text)
    ? text.replace("/", " ").replaceAll("_", ".")
    : undefined;

/** Of one participant more comes while the call lasts: the newest that is known counts. */
export function mergedEvidence(former: Evidence, next: Evidence): Evidence {
  const [older, newer] = next.at >= former.at ? [former, next] : [next, former];
  return { ...older, ...newer, firstAt: Math.min(former.firstAt, next.firstAt) };
}

/** From here on people notice: a loss of 5 %, or a round trip of 0.4 seconds (ITU-T G.114 allows as much both ways). */
const badLossPermille = 50;
const badRoundTripMs = 400;
/** More than browsers even out without cutting words off. */
const badJitterMs = 60;

export const isLossy = ({ lossPermille = 0 }: Evidence): boolean => lossPermille >= badLossPermille;
const isLossySender = ({ sentLossPermille = 0 }: Evidence): boolean =>
  sentLossPermille >= badLossPermille;
/** Whether what somebody missed was lost on the way of another in the room to the server, which everybody in it misses. */
export const isSharedLoss = (each: Evidence, other: Evidence | undefined): boolean =>
  other !== undefined &&
  other.roomName === each.roomName &&
  isLossySender(other) &&
  each.sentLossPermille !== undefined &&
  !isLossySender(each);
export const isSlow = ({ roundTripMs = 0 }: Evidence): boolean => roundTripMs >= badRoundTripMs;
export const isJittery = ({ jitterMs = 0 }: Evidence): boolean => jitterMs >= badJitterMs;
/** UDP was tried without a relay, nothing came back, and the call went another way. */
export const isBlocked = ({ direct, way }: Evidence): boolean =>
  direct === "silent" && way !== "udp";
export const isBad = (evidence: Evidence): boolean =>
  evidence.state === "failed" ||
  evidence.failure === "broken" ||
  isLossy(evidence) ||
  isSlow(evidence);
