import { type PairKind, pairKinds } from "~/features/deployments/test-room/candidate-pair";
import { type Evidence, type EvidenceFailure, evidenceFailures } from "../room-sessions/evidence";
import type { EvidenceDay } from "../room-sessions/evidence-sums";

/** The ways of calls as tables have them. */
const wayColumns: Readonly<Record<PairKind | "unknown", string>> = {
  udp: "UDP",
  tcp: "TCP",
  "relay-udp": "TURN, UDP",
  "relay-tcp": "TURN, TCP",
  "relay-tls": "TURN, TLS",
  relay: "TURN",
  unknown: "not known",
};

const failureWords: Readonly<Record<EvidenceFailure, string>> = {
  token: "token refused",
  unreachable: "server not reached",
  timeout: "no answer in time",
  media: "no media",
  refused: "refused",
  duplicate: "the same identity twice",
  broken: "broke off",
  camera: "no camera",
  microphone: "no microphone",
  other: "no reason given",
};

export const failureName = (failure: EvidenceFailure | undefined): string =>
  failureWords[failure ?? "other"];

/** "UDP, loss 1.2 %, 38 ms there and back, jitter 4 ms". */
export function figureWords(evidence: Evidence): string {
  const { way, lossPermille, roundTripMs, jitterMs } = evidence;
  return [
    way ? wayColumns[way] : "way not known",
    ...(lossPermille === undefined ? [] : [`loss ${lossWords(lossPermille)}`]),
    ...(roundTripMs === undefined ? [] : [`${roundTripMs} ms there and back`]),
    ...(jitterMs === undefined ? [] : [`jitter ${jitterMs} ms`]),
  ].join(", ");
}

export const lossWords = (permille: number): string => `${permille / 10} %`;

/** The shares of all calls of a day: "UDP 82 %, TURN, TLS 18 %". */
export function shareWords({ ways, calls }: Pick<EvidenceDay, "ways" | "calls">): string {
  return ([...pairKinds, "unknown"] as const)
    .flatMap((way) => {
      const count = ways[way] ?? 0;
      return count === 0 ? [] : [`${wayColumns[way]} ${Math.round((count / calls) * 100)} %`];
    })
    .join("; ");
}

/** How many did not get in, and why: "2 token refused, 1 no media". */
export function failureCounts(failures: EvidenceDay["failures"]): string {
  const counted = evidenceFailures.flatMap((failure) =>
    failures[failure] ? [`${failures[failure]} ${failureName(failure)}`] : [],
  );
  return counted.join(", ") || "nobody";
}

/** The upper end of the step in which a figure is; above the last step only that it is above. */
export function stepWords(
  end: number | undefined,
  steps: readonly number[],
  unit: (value: number) => string,
): string {
  if (end === undefined) return "not measured";
  return Number.isFinite(end) ? `up to ${unit(end)}` : `above ${unit(steps.at(-1) ?? 0)}`;
}
