/** The parts of the browser's statistics that say which way media takes (W3C webrtc-stats). */
export type Stat = {
  id: string;
  type: string;
  selectedCandidatePairId?: string;
  selected?: boolean;
  localCandidateId?: string;
  remoteCandidateId?: string;
  currentRoundTripTime?: number;
  candidateType?: string;
  protocol?: string;
  relayProtocol?: string;
  url?: string;
  address?: string | null;
  ip?: string;
  port?: number;
};

/** How media gets to the server: straight, or relayed by its TURN and how the browser reaches that. */
export const pairKinds = ["udp", "tcp", "relay-udp", "relay-tcp", "relay-tls", "relay"] as const;
export type PairKind = (typeof pairKinds)[number];

export type CandidatePair = { kind: PairKind; remote: Stat; roundTripMs?: number };

/** The pair of candidates that media takes now; undefined while none is chosen. */
export function nominatedPair(report: Iterable<Stat>): CandidatePair | undefined {
  const stats = new Map([...report].map((stat) => [stat.id, stat]));
  const all = [...stats.values()];
  const chosen = all.find(({ selectedCandidatePairId }) => selectedCandidatePairId);
  // Firefox marks the pair itself.
  const pair =
    stats.get(chosen?.selectedCandidatePairId ?? "") ??
    all.find((stat) => stat.type === "candidate-pair" && stat.selected);
  const local = stats.get(pair?.localCandidateId ?? "");
  const remote = stats.get(pair?.remoteCandidateId ?? "");
  if (!pair || !local || !remote) return;
  const { currentRoundTripTime: seconds } = pair;
  return {
    kind: kindOf(local),
    remote,
    ...(seconds === undefined ? {} : { roundTripMs: Math.round(seconds * 1_000) }),
  };
}

/** The `protocol` of a relayed candidate is that of the relay's other side, so it says nothing of this network. */
function kindOf(local: Stat): PairKind {
  if (local.candidateType !== "relay") return local.protocol === "tcp" ? "tcp" : "udp";
  const protocol = local.relayProtocol ?? protocolOfTurn(local.url);
  return protocol === "udp" || protocol === "tcp" || protocol === "tls"
    ? `relay-${protocol}`
    : "relay";
}

/** By the address of the TURN server (RFC 7065), for browsers that do not say it otherwise. */
function protocolOfTurn(url = ""): string | undefined {
  if (url.startsWith("turns:")) return "tls";
  if (url.startsWith("turn:")) return url.includes("transport=tcp") ? "tcp" : "udp";
}
