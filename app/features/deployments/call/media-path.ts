/** The parts of the browser's statistics that say which way media takes (W3C webrtc-stats). */
type Stat = {
  id: string;
  type: string;
  selectedCandidatePairId?: string;
  selected?: boolean;
  nominated?: boolean;
  state?: string;
  localCandidateId?: string;
  remoteCandidateId?: string;
  currentRoundTripTime?: number;
  candidateType?: string;
  protocol?: string;
  relayProtocol?: string;
  address?: string | null;
  ip?: string;
  port?: number;
};

export type MediaPath = {
  way: string;
  /** Why it is not the best way, where it is not. */
  reason?: string;
  /** Of the server, with its port. */
  address: string;
  roundTripMs?: number;
};

const noUdp =
  "UDP does not get through: this network blocks it, or the firewall in front of the server does.";

/** The way that media takes now; undefined while none is chosen. */
export function mediaPathOf(report: Iterable<Stat>): MediaPath | undefined {
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
    ...wayOf(local),
    address: `${remote.address ?? remote.ip ?? "unknown"}:${remote.port ?? ""}`,
    ...(seconds === undefined ? {} : { roundTripMs: Math.round(seconds * 1_000) }),
  };
}

function wayOf({ candidateType, protocol, relayProtocol }: Stat) {
  if (candidateType === "relay" && relayProtocol === "udp")
    return { way: "Relayed by your server's TURN, over UDP" };
  if (candidateType === "relay")
    return {
      way: `Relayed by your server's TURN, ${relayProtocol === "tls" ? "inside TLS on port 443" : "over TCP"}`,
      reason: noUdp,
    };
  if (protocol === "tcp") return { way: "Straight to your server, over TCP", reason: noUdp };
  return { way: "Straight to your server, over UDP: the best way" };
}
