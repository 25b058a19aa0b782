import { type Evidence, isBlocked, isJittery, isLossy, isSharedLoss, isSlow } from "./evidence";

/** How others fared at the time of a call, each person once. */
export type EvidencePeers = {
  /** Who they are, by the hashes of their identities. */
  identities: readonly string[];
  /** Who got in, and who never did. */
  through: number;
  failed: number;
  /** Whose calls were bad: packets lost, late or uneven. What was lost on the way of the call in question is not theirs. */
  poor: number;
  /** On whose way to the server packets were lost, which this call misses. */
  lossySenders: number;
  /** Whose calls went by UDP without a relay, who tried that in vain, and whom TURN relayed inside TLS. */
  udp: number;
  blocked: number;
  relayed: number;
};

export const nobody: EvidencePeers = {
  ...{ identities: [], through: 0, failed: 0, poor: 0, lossySenders: 0 },
  ...{ udp: 0, blocked: 0, relayed: 0 },
};

/** `said`: of the call itself. `there`: from its own network; `elsewhere`: from all others. */
export type CallEvidence = { said?: Evidence; there: EvidencePeers; elsewhere: EvidencePeers };

/** `said`: of the call in question. */
export function peersOf(all: readonly Evidence[], said?: Evidence): EvidencePeers {
  const people = [...Map.groupBy(all, ({ identity }) => identity)];
  const count = (is: (each: Evidence) => boolean) =>
    people.filter(([, calls]) => calls.some(is)).length;
  const through = count(({ state }) => state !== "failed");
  return {
    ...{ identities: people.map(([identity]) => identity), through },
    failed: people.length - through,
    poor: count(
      (each) => (isLossy(each) && !isSharedLoss(each, said)) || isSlow(each) || isJittery(each),
    ),
    lossySenders: count((each) => said !== undefined && isSharedLoss(said, each)),
    udp: count(({ way }) => way === "udp"),
    blocked: count((each) => each.state !== "failed" && isBlocked(each)),
    relayed: count(({ way }) => way === "relay-tls"),
  };
}
