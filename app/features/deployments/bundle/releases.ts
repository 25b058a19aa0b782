/** A processor, as the machine's `uname -m` names it. */
export type Processor = "x86_64" | "aarch64";

type Source =
  | { image: string }
  /** It is downloaded from its releases at GitHub: the SHA-256 of each listed release's file. */
  | { checksums: Readonly<Record<string, Readonly<Partial<Record<Processor, string>>>>> };

export type Catalogued = Source & {
  /** The version of a new bundle. */
  pinned: string;
  /** Why `upstream` is not taken. It excuses no listed release: one that must not be pinned has an advisory. */
  reason?: string;
  /** The newest release of the program where it is not listed: it has no image, or is of a later line than the one that we stay with. */
  upstream?: { newest: string; day: string };
  /** The oldest `major.minor` that knows every key of the configuration that we write. Only with it a customer may choose the version. */
  oldest?: string;
  /** Tags that never move, with the day of each, oldest first. The proof has not run yet with those after the pinned one. */
  releases: Readonly<Record<string, string>>;
};

/**
 * The one table of versions: of each image and program that a bundle installs. Tags and days are those of the publishers.
 * Versions that we refuse are not listed. `npm run releases` writes it from the publishers' lists.
 */
export const catalogue = {
  livekit: {
    image: "livekit/livekit-server",
    pinned: "v1.13.11",
    oldest: "1.8",
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
  },
  egress: {
    image: "livekit/egress",
    pinned: "v1.14.1",
    oldest: "1.9",
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
  },
  ingress: {
    image: "livekit/ingress",
    pinned: "v1.5.0",
    oldest: "1.4",
    releases: { "v1.5.0": "2026-04-22" },
  },
  sip: {
    image: "livekit/sip",
    pinned: "v1.11.0",
    oldest: "1.3",
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
  },
  caddy: {
    image: "livekit/caddyl4",
    pinned: "v2.11.4",
    reason: "LiveKit publishes no image of a later Caddy with layer 4.",
    upstream: { newest: "v2.11.9", day: "2026-11-04" },
    oldest: "2.10",
    releases: { "v2.10.2": "2025-10-15", "v2.11.3": "2026-05-12", "v2.11.4": "2026-06-03" },
  },
  redis: {
    image: "redis",
    pinned: "7.4.11-alpine",
    reason:
      "LiveKit needs nothing of Redis 8, 7.4 gets its security releases, and an older Redis reads no data file of a newer one.",
    upstream: { newest: "8.10.2-alpine", day: "2026-09-17" },
    oldest: "7.0",
    releases: {
      "7.4.6-alpine": "2025-10-03",
      "7.4.7-alpine": "2025-11-07",
      "7.4.8-alpine": "2026-03-23",
      "7.4.9-alpine": "2026-05-08",
      "7.4.10-alpine": "2026-07-23",
      "7.4.11-alpine": "2026-08-17",
    },
  },
  prometheus: {
    image: "prom/prometheus",
    pinned: "v3.5.5",
    reason:
      "Our rules and its health check were seen with 3.5; a later line is taken once they were seen with its image. It listens on loopback only.",
    upstream: { newest: "v3.16.0", day: "2026-11-05" },
    releases: {
      "v3.5.0": "2025-07-14",
      "v3.5.1": "2026-01-22",
      "v3.5.2": "2026-04-13",
      "v3.5.3": "2026-04-27",
      "v3.5.4": "2026-06-17",
      "v3.5.5": "2026-07-08",
    },
  },
  "node-exporter": {
    image: "prom/node-exporter",
    pinned: "v1.12.1",
    releases: {
      "v1.9.1": "2025-04-01",
      "v1.10.2": "2025-10-25",
      "v1.11.1": "2026-04-07",
      "v1.12.0": "2026-07-10",
      "v1.12.1": "2026-07-14",
    },
  },
  rclone: {
    image: "rclone/rclone",
    pinned: "1.76.0",
    releases: {
      "1.74.4": "2026-07-08",
      "1.75.0": "2026-07-31",
      "1.75.1": "2026-09-04",
      "1.76.0": "2026-11-06",
    },
  },
  lego: { image: "goacme/lego", pinned: "v5.6.0", releases: { "v5.6.0": "2026-10-28" } },
  compose: {
    pinned: "v2.40.3",
    reason:
      "It must work with the Docker 20.10 of Debian 12, with which no later line was seen; where a system has its own package, that is used.",
    upstream: { newest: "v5.7.1", day: "2026-11-11" },
    releases: { "v2.40.3": "2025-10-30" },
    checksums: {
      "v2.40.3": {
        x86_64: "dba9d98e1ba5bfe11d88c99b9bd32fc4a0624a30fafe68eea34d61a3e42fd372",
        aarch64: "d26373b19e89160546d15407516cc59f453030d9bc5b43ba7faf16f7b4980137",
      },
    },
  },
  age: {
    pinned: "v1.3.2",
    releases: { "v1.3.2": "2026-08-29" },
    checksums: {
      "v1.3.2": { x86_64: "cbe24006683f8eb669266162894b9a522a1af52f2665fbc63a4bb032ed26ac10" },
    },
  },
} as const satisfies Record<string, Catalogued>;

export type Program = keyof typeof catalogue;
