// Tells your own LiveKit server which way a call took and what was lost, for "why could this customer not connect?".
import type { Room } from "livekit-client";

const callMs = 10_000;
/** While the connection comes about, so that it is known what failed. */
const joiningMs = 1_000;
const lookupsPerReport = 30;
/** By the numbers of LiveKit's ConnectionErrorReason. */
const failures = ["token", "unreachable", "other", "other", "refused", "timeout", "unreachable"];
/** LiveKit's DisconnectReason of an end that is no fault: left, removed, deleted, moved, closed. */
const faultlessEnds = [1, 4, 5, 8, 10];
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
  requestsSent: number;
  responsesReceived: number;
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

/** `direct`: whether anything by UDP, without a relay, was answered. `loss`: of all packets; `sent`: of those that were sent. */
type Figures = Partial<Record<"room" | "way" | "direct" | "failure", string>> &
  Partial<Record<"rtt" | "jitter" | "loss" | "sent", number>>;

function browserName(): string | undefined {
  for (const [name, form] of browsers) {
    const version = form.exec(navigator.userAgent)?.[1];
    if (version) return `${name} ${version}`;
  }
}

/** Adds what the statistics of one peer connection say to the figures of a call, and its packets to the count. */
function addStatistics(
  stats: ReadonlyMap<string | undefined, Stat>,
  figures: Figures,
  count: Record<"lost" | "all" | "cut" | "sent", number>,
) {
  for (const each of stats.values()) {
    const { type, packetsLost = 0, packetsReceived = 0, jitter = 0, localId } = each;
    if (type === "inbound-rtp") {
      count.lost += packetsLost;
      count.all += packetsLost + packetsReceived;
      figures.jitter = Math.max(figures.jitter ?? 0, Math.round(jitter * 1000));
    }
    if (type === "remote-inbound-rtp") {
      count.cut += packetsLost;
      count.sent += stats.get(localId)?.packetsSent ?? 0;
    }
    const from = stats.get(each.localCandidateId);
    if (each.requestsSent && from?.protocol === "udp" && from.candidateType !== "relay") {
      if (each.responsesReceived) figures.direct = "open";
      figures.direct ??= "silent";
    }
    // Firefox marks the pair, others name it in the transport.
    const pair = each.selected ? each : stats.get(each.selectedCandidatePairId);
    const local = stats.get(pair?.localCandidateId);
    if (!pair || !local) continue;
    const relay = local.relayProtocol ?? (local.url?.startsWith("turns:") ? "tls" : "");
    if (local.candidateType !== "relay") figures.way = local.protocol ?? "";
    else figures.way = relay ? `relay-${relay}` : "relay";
    if (pair.currentRoundTripTime) figures.rtt = Math.round(pair.currentRoundTripTime * 1000);
  }
}

type Options = { url: string; token: string; sdk?: string };

/** So that a room that joins again has each listener once. */
const rooms = new WeakMap<Room, ReturnType<typeof evidenceOf>>();

/** To be called before each `room.connect`. `token`: the one that the room is joined with. */
export function callEvidence(room: Room, options: Options) {
  const evidence = rooms.get(room) ?? evidenceOf(room, options);
  rooms.set(room, evidence);
  evidence.call = options;
  return evidence;
}

function evidenceOf(room: Room, first: Options) {
  let figures: Figures = {};
  /** Who is in the call, once the server has answered: a room has the participant of its call before until then. */
  let me: Room["localParticipant"] | undefined;
  let isIn = false;
  let lookups = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  function send(state: "connected" | "ended" | "failed", failure = figures.failure): void {
    const { url, ...given } = evidence.call;
    const participant = me?.sid;
    const report = { ...given, browser: browserName(), state, participant, ...figures, failure };
    navigator.sendBeacon(url, JSON.stringify(report));
  }

  async function measure(): Promise<void> {
    const next: Figures = isIn ? { room: await room.getSid() } : {};
    const count = { lost: 0, all: 0, cut: 0, sent: 0 };
    const manager = room.engine.pcManager;
    for (const transport of [manager?.subscriber, manager?.publisher]) {
      const stats = await transport?.getStats();
      if (stats) addStatistics(stats, next, count);
    }
    const { cut, sent } = count;
    if (sent) next.sent = cut / sent;
    const all = count.all + sent;
    if (all) next.loss = Math.max(0, count.lost + cut) / all;
    if (!timer) return;
    figures = { ...figures, ...next };
    if (isIn && lookups++ % lookupsPerReport === 0) send("connected");
  }

  function measureEvery(ms = 0): void {
    clearInterval(timer);
    timer = ms ? setInterval(() => measure().catch(() => {}), ms) : undefined;
  }

  function end(reason = 0): void {
    measureEvery();
    if (!isIn) return;
    isIn = false;
    removeEventListener("pagehide", leave);
    send(
      "ended",
      faultlessEnds.includes(reason) ? undefined : reason === 2 ? "duplicate" : "broken",
    );
  }
  const leave = () => end(1);

  room
    .on("connectionStateChanged", (state: string) => {
      // What is known of one call ends with it. One that failed is over before `failed` is called, so the next one begins anew.
      if (state !== "connecting") return;
      figures = {};
      me = undefined;
      lookups = 0;
    })
    .on("signalConnected", () => {
      me = room.localParticipant;
      if (!isIn) measureEvery(joiningMs);
    })
    .on("mediaDevicesError", (_: unknown, kind?: string) => {
      figures.failure = kind === "videoinput" ? "camera" : "microphone";
    })
    .on("connected", () => {
      isIn = true;
      measureEvery(callMs);
      addEventListener("pagehide", leave);
    })
    .on("disconnected", end);

  const evidence = {
    call: first,
    /** `error`: what `room.connect` threw. */
    failed(error: unknown): void {
      const reason = (error as { reason?: number } | undefined)?.reason ?? 3;
      const failure = failures[reason] ?? "other";
      send("failed", me && failure !== "token" ? "media" : failure);
    },
  };
  return evidence;
}
