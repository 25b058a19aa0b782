import { joinFailures } from "../test-room/join-failure";

/** How a test connects: as every call does, then with TCP forced by the server, then by its TURN alone. */
export const ways = ["usual", "tcp", "relay"] as const;
export type Way = (typeof ways)[number];

/**
 * `duplicate`: somebody else joined with the same token meanwhile. `not-forced`: after the server was asked for TCP the
 * connection did not come back.
 */
export const wayFailures = [...joinFailures, "duplicate", "not-forced"] as const;
export type WayFailure = (typeof wayFailures)[number];

export const browserFamilies = ["chrome", "edge", "firefox", "safari", "other"] as const;
export type BrowserFamily = (typeof browserFamilies)[number];
