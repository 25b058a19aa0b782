import type { TestResult } from "../../../app/features/deployments/connection-test/result.ts";

/** What a test finds where everything is open. */
export const goodResult: TestResult = {
  browser: { family: "chrome", version: 141 },
  usual: { state: "connected", by: "udp", port: 50_001, connectMs: 312, roundTripMs: 21 },
  tcp: { state: "connected", by: "tcp", port: 7881, connectMs: 640, roundTripMs: 22 },
  relay: { state: "connected", by: "relay-udp", port: 50_002, connectMs: 410 },
};

/** What a test finds that got in nowhere. */
export const failedResult = (failure: "unreachable" | "not-livekit" | "no-media"): TestResult => ({
  browser: { family: "firefox", version: 144 },
  usual: { state: "failed", failure, afterMs: 900 },
  tcp: { state: "skipped" },
  relay: { state: "skipped" },
});
