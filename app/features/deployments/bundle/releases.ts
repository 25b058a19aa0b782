/** What is wrong with some versions of a component, and which versions fix it. */
export type Advisory = {
  severity: "fault" | "security";
  /** Sentences for the customer who chose such a version. */
  reason: string;
} & (
  | { tags: readonly string[] }
  /** Each entry is the first fixed patch of its minor version. Minor versions after the last entry have the fix. */
  | { mendedIn: readonly (readonly [number, number, number])[] }
);

type Catalogued = {
  image: string;
  /** The version by default: the newest release with which the proof has passed. */
  pinned: string;
  /** The oldest [major, minor] that knows every key of the configuration that we write. */
  oldest: readonly [number, number];
  /** Tags that never move, with the day of each, oldest first. The proof has not run yet with those after the pinned one. */
  releases: Readonly<Record<string, string>>;
  advisories: readonly Advisory[];
};

/** The one table of versions. Tags and days are those of the publishers. Versions that we refuse are not listed. */
export const catalogue = {
  livekit: {
    image: "livekit/livekit-server",
    pinned: "v1.13.5",
    oldest: [1, 8],
    releases: {
      "v1.8.0": "2024-10-19",
      "v1.8.2": "2025-01-06",
      "v1.8.3": "2025-01-07",
      "v1.8.4": "2025-03-01",
      "v1.9.0": "2025-06-04",
      "v1.9.1": "2025-09-05",
      "v1.9.2": "2025-10-17",
      "v1.9.3": "2025-11-02",
      "v1.9.4": "2025-11-15",
      "v1.9.6": "2025-12-01",
      "v1.9.7": "2025-12-05",
      "v1.9.8": "2025-12-10",
      "v1.9.9": "2025-12-18",
      "v1.9.10": "2026-01-01",
      "v1.9.11": "2026-01-15",
      "v1.9.12": "2026-03-05",
      "v1.10.0": "2026-03-23",
      "v1.10.1": "2026-03-30",
      "v1.11.0": "2026-04-17",
      "v1.12.0": "2026-05-16",
      "v1.13.0": "2026-06-08",
      "v1.13.1": "2026-06-08",
      "v1.13.2": "2026-06-27",
      "v1.13.3": "2026-07-03",
      "v1.13.4": "2026-07-18",
      "v1.13.5": "2026-07-31",
      "v1.13.6": "2026-08-26",
      "v1.13.7": "2026-09-14",
      "v1.13.8": "2026-10-06",
      "v1.13.9": "2026-10-07",
      "v1.13.10": "2026-10-14",
      "v1.13.11": "2026-10-25",
    },
    advisories: [
      {
        severity: "fault",
        tags: ["v1.9.10"],
        reason: "It stops by itself (livekit/livekit#4219); v1.9.11 mends it.",
      },
      {
        severity: "fault",
        tags: ["v1.10.0"],
        reason: "It breaks TURN (livekit/livekit#4397); v1.10.1 mends it.",
      },
      {
        severity: "security",
        mendedIn: [[1, 12, 0]],
        reason:
          "Its TURN server relays to private addresses of the machine's network (livekit/livekit#4505); v1.12.0 mends it.",
      },
    ],
  },
  egress: {
    image: "livekit/egress",
    pinned: "v1.14.1",
    oldest: [1, 9],
    releases: {
      "v1.9.0": "2025-01-06",
      "v1.9.1": "2025-03-02",
      "v1.10.0": "2025-08-06",
      "v1.11.0": "2025-11-17",
      "v1.12.0": "2025-12-05",
      "v1.13.0": "2026-05-28",
      "v1.14.0": "2026-08-05",
      "v1.14.1": "2026-08-14",
    },
    advisories: [],
  },
  ingress: {
    image: "livekit/ingress",
    pinned: "v1.5.0",
    oldest: [1, 4],
    releases: { "v1.5.0": "2026-04-22" },
    advisories: [],
  },
  sip: {
    image: "livekit/sip",
    pinned: "v1.11.0",
    oldest: [1, 3],
    releases: {
      "v1.3.0": "2026-03-26",
      "v1.3.1": "2026-05-16",
      "v1.4.0": "2026-06-02",
      "v1.5.0": "2026-06-13",
      "v1.6.0": "2026-06-26",
      "v1.7.0": "2026-07-10",
      "v1.8.0": "2026-07-22",
      "v1.9.0": "2026-07-30",
      "v1.10.0": "2026-08-06",
      "v1.11.0": "2026-08-17",
    },
    advisories: [],
  },
  caddy: {
    image: "livekit/caddyl4",
    pinned: "v2.10.2",
    oldest: [2, 10],
    releases: { "v2.10.2": "2025-10-15" },
    advisories: [],
  },
  redis: {
    image: "redis",
    pinned: "7.4.6-alpine",
    oldest: [7, 0],
    releases: { "7.4.6-alpine": "2025-10-03" },
    advisories: [
      {
        severity: "security",
        mendedIn: [
          [7, 2, 11],
          [7, 4, 6],
          [8, 0, 4],
          [8, 2, 2],
        ],
        reason:
          "Whoever has its password can run programs on it (CVE-2025-49844); 7.2.11, 7.4.6, 8.0.4 and 8.2.2 mend it.",
      },
    ],
  },
} as const satisfies Record<string, Catalogued>;
