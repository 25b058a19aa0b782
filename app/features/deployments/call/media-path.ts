import type { Track } from "livekit-client";
import { nominatedPair, type PairKind, type Stat } from "../test-room/candidate-pair";

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

const wayWords: Readonly<Record<PairKind, Pick<MediaPath, "way" | "reason">>> = {
  udp: { way: "Straight to your server, over UDP: the best way" },
  tcp: { way: "Straight to your server, over TCP", reason: noUdp },
  "relay-udp": { way: "Relayed by your server's TURN, over UDP" },
  "relay-tcp": { way: "Relayed by your server's TURN, over TCP", reason: noUdp },
  "relay-tls": {
    way: "Relayed by your server's TURN, inside TLS on port 443",
    reason: noUdp,
  },
  relay: { way: "Relayed by your server's TURN" },
};

/** The way that media takes now; undefined while none is chosen. */
export function mediaPathOf(report: Iterable<Stat>): MediaPath | undefined {
  const pair = nominatedPair(report);
  if (!pair) return;
  const { kind, remote, roundTripMs } = pair;
  return {
    ...wayWords[kind],
    address: `${remote.address ?? remote.ip ?? "unknown"}:${remote.port ?? ""}`,
    ...(roundTripMs === undefined ? {} : { roundTripMs }),
  };
}

/** The way that a track's media takes now. */
export async function pathOf(track: Track): Promise<MediaPath | undefined> {
  const report = await track.getRTCStatsReport();
  return report && mediaPathOf(report.values());
}
