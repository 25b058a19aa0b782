// Tells your own LiveKit server which way a call took and what was lost, for "why could this customer not connect?".
import type { Room } from "livekit-client";

const everyMs = 10_000;
const lookupsPerReport = 30;
/** By the numbers of LiveKit's ConnectionErrorReason. */
const failures = ["token", "unreachable", "other", "other", "refused", "timeout", "unreachable"];
/** LiveKit's DisconnectReason of an end that is no fault: left, removed, deleted, moved, closed. */
const wanted = [1, 4, 5, 8, 10];
const browsers = Object.entries({
  edge: /Edg\w*\/(\d+)/,
  chrome: /Chrom\w*\/(\d+)/,
  firefox: /Firefox\/(\d+)/,
  safari: /Version\/(\d+).* Safari/,
});

/** What a browser's statistics say, as far as it is read here (W3C webrtc-stats). */
type Stat = { type: string } & Partial<{
  packetsLost: number;
  packetsReceived: number;
  packetsSent: number;
  jitter: number;
  localId: string;
  selected: boolean;
  selectedCandidatePairId: string;
  localCandidateId: string;
  currentRoundTripTime: number;
  relayProtocol: string;
  candidateType: string;
  protocol: string;
  url: string;
}>;

type Figures = { room?: string; way?: string; rtt?: number; jitter?: number; loss?: number };

function browserName(): string | undefined {
  for (const [name, form] of browsers) {
    const version = form.exec(navigator.userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
}

/** Adds what the statistics of one peer connection say to the figures of a call, and its packets to the count. */
function read(stats: Map<string, Stat>, figures: Figures, count: { lost: number; all: number }) {
  for (const each of stats.values()) {
    const { type, packetsLost = 0, packetsReceived = 0, jitter = 0, localId = "" } = each;
    if (type === "inbound-rtp") {
      count.lost += packetsLost;
      count.all += packetsLost + packetsReceived;
      figures.jitter = Math.max(figures.jitter ?? 0, Math.round(jitter * 1000));
    }
    if (type === "remote-inbound-rtp") {
      count.lost += packetsLost;
      count.all += stats.get(localId)?.packetsSent ?? 0;
    }
    const isPair = type === "candidate-pair" && each.selected;
    const pair = isPair ? each : stats.get(each.selectedCandidatePairId ?? "");
    const local = stats.get(pair?.localCandidateId ?? "");
    if (!pair || !local) continue;
    const relay = local.relayProtocol ?? (local.url?.startsWith("turns:") ? "tls" : "");
    if (local.candidateType !== "relay") figures.way = local.protocol ?? "";
    else figures.way = relay ? `relay-${relay}` : "relay";
    if (pair.currentRoundTripTime) figures.rtt = Math.round(pair.currentRoundTripTime * 1000);
  }
}

/** Say it before `room.connect`. `token`: the one that the room is joined with. */
export function callEvidence(
  room: Room,
  { url, token, sdk }: { url: string; token: string; sdk?: string },
) {
  let figures: Figures = {};
  let device: string | undefined;
  let isSignalled = false;
  let lookups = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  function send(state: "connected" | "ended" | "failed", failure = device): void {
    const participant = room.localParticipant.sid;
    const said = { token, sdk, browser: browserName(), state, participant, failure, ...figures };
    navigator.sendBeacon(url, JSON.stringify(said));
  }

  async function look(): Promise<void> {
    const next: Figures = { room: await room.getSid() };
    const count = { lost: 0, all: 0 };
    const manager = room.engine.pcManager;
    for (const transport of [manager?.subscriber, manager?.publisher]) {
      const stats = await transport?.getStats();
      if (stats) read(new Map(stats), next, count);
    }
    if (count.all > 0) next.loss = Math.max(0, count.lost) / count.all;
    figures = { ...figures, ...next };
    if (lookups++ % lookupsPerReport === 0) send("connected");
  }

  function end(reason = 0): void {
    if (!timer) return;
    clearInterval(timer);
    timer = undefined;
    const fault = reason === 2 ? "duplicate" : "broken";
    send("ended", wanted.includes(reason) ? device : fault);
  }

  room.on("signalConnected", () => {
    isSignalled = true;
  });
  room.on("mediaDevicesError", (_: unknown, kind?: string) => {
    device = kind === "videoinput" ? "camera" : "microphone";
  });
  room.on("connected", () => {
    clearInterval(timer);
    lookups = 0;
    timer = setInterval(() => look().catch(() => {}), everyMs);
  });
  room.on("disconnected", end);
  addEventListener("pagehide", () => end(1));

  return {
    /** `error`: what `room.connect` threw. */
    failed(error: unknown): void {
      const { reason = 3 } = (error ?? {}) as { reason?: number };
      const failure = failures[reason] ?? "other";
      send("failed", isSignalled && failure !== "token" ? "media" : failure);
    },
  };
}
