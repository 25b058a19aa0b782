import { CandidateProtocol, SimulateScenario } from "@livekit/protocol";
import { DisconnectReason, Room, type RoomConnectOptions, RoomEvent } from "livekit-client";
import { type CandidatePair, nominatedPair } from "../test-room/candidate-pair";
import { joinRoom } from "../test-room/join-room.client";
import { browserOf } from "./browser";
import type { TestResult, WayOutcome } from "./result";
import type { Way, WayFailure } from "./ways";

/** Below what LiveKit's client itself waits for, several times over. */
const reconnectTimeoutMs = 20_000;
const pairTimeoutMs = 5_000;
const checkEveryMs = 100;

/**
 * Connects three times, one after the other, and looks each time which way media takes: what a server is asked for is
 * not always what happens. Where nobody gets in at all, the other ways are not tried.
 */
export async function runTest(
  { domain, token }: { domain: string; token: string },
  notify: (way: Way) => void,
): Promise<TestResult> {
  const skipped: WayOutcome = { state: "skipped" };
  const browser = browserOf(navigator.userAgent);
  notify("usual");
  await clearPreference(domain, token);
  const usual = await tryWay("usual", domain, token);
  if (usual.state === "failed") return { browser, usual, tcp: skipped, relay: skipped };
  notify("tcp");
  const tcp = await tryWay("tcp", domain, token);
  notify("relay");
  await clearPreference(domain, token);
  return { browser, usual, tcp, relay: await tryWay("relay", domain, token) };
}

/**
 * For five minutes a server prefers for an identity in a room what its last connection was switched to, by a test or by
 * a network that failed it. A further test would then find TCP alone, and with TCP no relay at all.
 */
async function clearPreference(domain: string, token: string): Promise<void> {
  const room = new Room();
  const { promise: isSignalled, resolve } = Promise.withResolvers<boolean>();
  room.once(RoomEvent.SignalConnected, () => resolve(true));
  void joinRoom(room, domain, token).then(() => resolve(false));
  const none = { case: "switchCandidateProtocol", value: CandidateProtocol.UDP } as const;
  try {
    if (await isSignalled) {
      await room.engine.client.sendSimulateScenario(new SimulateScenario({ scenario: none }));
    }
  } finally {
    await room.disconnect();
  }
}

async function tryWay(way: Way, domain: string, token: string): Promise<WayOutcome> {
  const room = new Room();
  let startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const failed = (failure: WayFailure): WayOutcome => ({
    state: "failed",
    failure,
    afterMs: elapsedMs(),
  });
  const ended = Promise.withResolvers<DisconnectReason | undefined>();
  room.once(RoomEvent.Disconnected, ended.resolve);
  const options: RoomConnectOptions =
    way === "relay" ? { rtcConfig: { iceTransportPolicy: "relay" } } : {};
  try {
    const failure = await joinRoom(room, domain, token, options);
    if (failure) return failed(failure);
    let connectMs = elapsedMs();
    if (way === "tcp") {
      startedAt = performance.now();
      if (!(await forceTcp(room, ended.promise))) {
        const reason = await Promise.race([ended.promise, undefined]);
        return failed(reason === DisconnectReason.DUPLICATE_IDENTITY ? "duplicate" : "not-forced");
      }
      connectMs = elapsedMs();
    }
    const pair = await Promise.race([pairOf(room), ended.promise]);
    if (typeof pair !== "object") {
      return failed(pair === DisconnectReason.DUPLICATE_IDENTITY ? "duplicate" : "no-media");
    }
    const { kind, remote, roundTripMs } = pair;
    return {
      state: "connected",
      by: kind,
      port: remote.port ?? 0,
      connectMs,
      ...(roundTripMs === undefined ? {} : { roundTripMs }),
    };
  } finally {
    await room.disconnect();
  }
}

/** Has the server switch this connection to TCP. Answers whether it came back at all, by whatever way. */
async function forceTcp(room: Room, ended: Promise<unknown>): Promise<boolean> {
  const { promise: reconnected, resolve } = Promise.withResolvers<boolean>();
  room.once(RoomEvent.Reconnected, () => resolve(true));
  const timer = setTimeout(() => resolve(false), reconnectTimeoutMs);
  void ended.then(() => resolve(false));
  await room.simulateScenario("force-tcp");
  return reconnected.finally(() => clearTimeout(timer));
}

/** The pair of whichever transport is connected, with its round trip if the browser has measured one in time. */
async function pairOf(room: Room): Promise<CandidatePair | undefined> {
  const endsAt = performance.now() + pairTimeoutMs;
  let found: CandidatePair | undefined;
  while (found?.roundTripMs === undefined && performance.now() < endsAt) {
    const transports = [room.engine.pcManager?.subscriber, room.engine.pcManager?.publisher];
    const reports = await Promise.all(transports.map((each) => each?.getStats()));
    for (const report of reports) if (report) found = nominatedPair(report.values()) ?? found;
    if (found?.roundTripMs === undefined)
      await new Promise((done) => setTimeout(done, checkEveryMs));
  }
  return found;
}
