import type { Program } from "./releases.ts";

/** What is wrong with some versions of a program, and which versions fix it. */
export type Advisory = {
  /** Its numbers in public lists, or the publisher's issues. */
  ids: readonly string[];
  /** Where it can be read. */
  source: string;
  severity: "fault" | "security";
  /**
   * Which servers can be attacked from the internet: all that run the version, those whose TURN is on, or none, because
   * the bundle's configuration keeps it away.
   */
  exposure: "internet" | "turn" | "none";
  /** What it does, for the customer who chose such a version: one sentence without its full stop. */
  reason: string;
  /** The first affected version, where earlier ones are not. */
  since?: string;
  /** The first fixed patch of each minor version. Minor versions after the last entry have the fix. Empty while there is none. */
  fixedIn: readonly string[];
};

/**
 * What is known to be wrong, by program. `npm run releases` adds what the publishers list, each with the worst exposure:
 * a person judges it, and writes the reason for customers.
 */
export const advisories: Readonly<Record<Program, readonly Advisory[]>> = {
  livekit: [
    {
      ids: ["livekit/livekit#4219"],
      source: "https://github.com/livekit/livekit/issues/4219",
      severity: "fault",
      exposure: "none",
      reason: "It stops by itself",
      since: "1.9.10",
      fixedIn: ["1.9.11"],
    },
    {
      ids: ["livekit/livekit#4397"],
      source: "https://github.com/livekit/livekit/issues/4397",
      severity: "fault",
      exposure: "none",
      reason: "It breaks TURN",
      since: "1.10.0",
      fixedIn: ["1.10.1"],
    },
    {
      ids: ["livekit/livekit#4505"],
      source: "https://github.com/livekit/livekit/issues/4505",
      severity: "security",
      exposure: "turn",
      reason: "Its TURN server relays to private addresses of the machine's network",
      fixedIn: ["1.12.0"],
    },
    {
      ids: ["livekit/livekit#4591", "livekit/livekit#4549"],
      source: "https://github.com/livekit/livekit/issues/4591",
      severity: "fault",
      exposure: "none",
      reason: "Its memory grows until it fails",
      since: "1.13.0",
      fixedIn: ["1.13.4"],
    },
    {
      ids: [
        "livekit/livekit#4743",
        "livekit/livekit#4744",
        "livekit/livekit#4745",
        "livekit/livekit#4750",
        "livekit/livekit#4757",
      ],
      source: "https://github.com/livekit/livekit/issues/4743",
      severity: "security",
      exposure: "internet",
      reason:
        "It limits neither the size of messages and API calls nor the TURN relays and waiting tracks of one participant",
      fixedIn: ["1.13.6"],
    },
    {
      ids: ["livekit/livekit#4756"],
      source: "https://github.com/livekit/livekit/issues/4756",
      severity: "security",
      exposure: "none",
      reason: "It writes tokens that it refuses into its log",
      fixedIn: ["1.13.6"],
    },
    {
      ids: ["livekit/livekit#4725"],
      source: "https://github.com/livekit/livekit/issues/4725",
      severity: "fault",
      exposure: "none",
      reason: "Its memory grows while rooms come and go, by gigabytes in a day or two",
      since: "1.13.5",
      fixedIn: ["1.13.7"],
    },
    {
      ids: ["livekit/livekit#4843", "livekit/livekit#4710", "livekit/livekit#4775"],
      source: "https://github.com/livekit/livekit/issues/4843",
      severity: "fault",
      exposure: "none",
      reason: "It may stand still while agents or data tracks end",
      since: "1.13.5",
      fixedIn: ["1.13.7"],
    },
    {
      ids: ["livekit/livekit#4992"],
      source: "https://github.com/livekit/livekit/issues/4992",
      severity: "security",
      exposure: "turn",
      reason:
        "Everybody with a token of a room can reach closed ports of the machine through its TURN server, and other hosts by TCP",
      fixedIn: ["1.13.10"],
    },
  ],
  egress: [],
  ingress: [],
  sip: [],
  caddy: [
    {
      ids: ["CVE-2025-61726"],
      source: "https://github.com/caddyserver/caddy/issues/7457",
      severity: "security",
      exposure: "internet",
      reason: "It is built with a Go in which a crafted address takes much memory",
      fixedIn: ["2.11.1"],
    },
    {
      ids: [
        "CVE-2026-27585",
        "CVE-2026-27586",
        "CVE-2026-27587",
        "CVE-2026-27588",
        "CVE-2026-27589",
        "CVE-2026-27590",
      ],
      source: "https://github.com/caddyserver/caddy/releases/tag/v2.11.1",
      severity: "security",
      exposure: "none",
      reason: "Matchers, file server and FastCGI can be misled; our file uses none of them",
      fixedIn: ["2.11.1"],
    },
    {
      ids: ["GHSA-7r4p-vjf4-gxv4"],
      source: "https://github.com/caddyserver/caddy/security/advisories/GHSA-7r4p-vjf4-gxv4",
      severity: "security",
      exposure: "none",
      reason: "Visitors can pretend an identity before forward_auth, which our file does not use",
      fixedIn: ["2.11.2"],
    },
    {
      ids: ["GO-2026-5730"],
      source: "https://pkg.go.dev/vuln/GO-2026-5730",
      severity: "security",
      exposure: "none",
      reason: "The mend of CVE-2026-30852 can be passed by in matchers that our file does not use",
      since: "2.11.0",
      fixedIn: ["2.11.3"],
    },
    {
      ids: ["GHSA-j8px-rmrx-76h9", "CVE-2026-77281", "CVE-2026-92284", "CVE-2026-92700"],
      source: "https://github.com/caddyserver/caddy/security/advisories/GHSA-j8px-rmrx-76h9",
      severity: "security",
      exposure: "none",
      reason: "Its file server and rewrites show what is hidden; our file uses neither",
      fixedIn: ["2.11.4"],
    },
  ],
  redis: [
    {
      ids: ["CVE-2025-49844"],
      source: "https://github.com/redis/redis/releases/tag/7.4.6",
      severity: "security",
      exposure: "none",
      reason: "A client that has its password can run programs on it",
      fixedIn: ["6.2.20", "7.2.11", "7.4.6", "8.0.4", "8.2.2"],
    },
    {
      ids: ["redis 7.4.8"],
      source: "https://github.com/redis/redis/releases/tag/7.4.8",
      severity: "security",
      exposure: "none",
      reason: "A client that has its password can forge what another one reads",
      fixedIn: ["7.4.8", "8.0.6", "8.2.5", "8.4.2", "8.6.1"],
    },
    {
      ids: ["CVE-2026-23479", "CVE-2026-25243", "CVE-2026-23631"],
      source: "https://github.com/redis/redis/releases/tag/7.4.9",
      severity: "security",
      exposure: "none",
      reason: "A client that has its password can run programs on it",
      fixedIn: ["7.4.9", "8.2.6", "8.4.3", "8.6.3", "8.8.0"],
    },
    {
      ids: ["redis 7.4.10"],
      source: "https://github.com/redis/redis/releases/tag/7.4.10",
      severity: "security",
      exposure: "none",
      reason: "A crafted RESTORE of a client that has its password can run programs on it",
      fixedIn: ["7.4.10", "8.2.8", "8.4.5", "8.6.5", "8.8.1"],
    },
    {
      ids: ["CVE-2026-81934"],
      source: "https://github.com/redis/redis/releases/tag/7.4.11",
      severity: "security",
      exposure: "none",
      reason: "With TLS, which the bundle's Redis does not use, clients can run programs on it",
      fixedIn: ["6.2.24", "7.2.16", "7.4.11", "8.2.9", "8.4.6", "8.6.6", "8.8.2", "8.10.1"],
    },
  ],
  prometheus: [
    {
      ids: ["CVE-2026-40179", "GHSA-vffh-x6r8-xx99"],
      source: "https://github.com/prometheus/prometheus/security/advisories/GHSA-vffh-x6r8-xx99",
      severity: "security",
      exposure: "none",
      reason: "Names of metrics can run script in its web page",
      fixedIn: ["3.5.2", "3.11.2"],
    },
    {
      ids: ["CVE-2026-42154", "GHSA-8rm2-7qqf-34qm"],
      source: "https://github.com/prometheus/prometheus/security/advisories/GHSA-8rm2-7qqf-34qm",
      severity: "security",
      exposure: "none",
      reason: "Its remote read takes as much memory as a request says",
      fixedIn: ["3.5.3", "3.11.3"],
    },
  ],
  "node-exporter": [],
  rclone: [
    {
      ids: ["CVE-2026-116189", "CVE-2026-116190"],
      source: "https://www.cve.org/CVERecord?id=CVE-2026-116189",
      severity: "security",
      exposure: "none",
      reason:
        "It can update itself to a forged version, and redirects of WebDAV get its passwords; our scripts use neither",
      since: "1.55.0",
      fixedIn: ["1.75.2"],
    },
    {
      ids: ["CVE-2026-134353", "CVE-2026-134351", "CVE-2026-134352", "CVE-2026-134354"],
      source: "https://www.cve.org/CVERecord?id=CVE-2026-134353",
      severity: "security",
      exposure: "none",
      reason: "Servers and storages of it that our scripts do not use give away passwords",
      fixedIn: ["1.76.0"],
    },
  ],
  lego: [],
  compose: [],
  age: [],
};
