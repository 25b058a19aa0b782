import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import { parseOptions } from "../../../app/features/deployments/bundle/options/parse-options.ts";

/** Every answer that changes what is made, by question. Some answers bring what they need. */
export const answers: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  cloud: [
    { provider: "aws", system: "ubuntu-24.04" },
    { provider: "aws", system: "amazon-linux-2023" },
    { provider: "azure" },
    { provider: "digital-ocean" },
    { provider: "google-cloud" },
    { provider: "hetzner" },
    { provider: "vultr" },
    { provider: "linode" },
    { provider: "oracle" },
    { provider: "other" },
  ],
  region: [
    ...each("region", ["us-east", "us-west", "eu-west", "asia-pacific"]),
    { region: "eu-central-1", provider: "aws" },
  ],
  size: each("size", ["small", "medium", "large"]),
  architecture: [
    { architecture: "amd64" },
    ...["aws", "azure", "google-cloud", "hetzner", "oracle"].map((provider) => ({
      architecture: "arm64",
      provider,
      region: "eu-west",
      system: "ubuntu-24.04",
    })),
  ],
  disk: each("disk", [40, 20, 4096]),
  names: [
    { domain: "livekit.example.com" },
    { domain: "münchen.example.com", extraDomains: ["calls.example.com", "rtc.example.org"] },
  ],
  certificates: each("certificates", [
    "automatic",
    "dns-cloudflare",
    "dns-digitalocean",
    "dns-hetzner",
    "dns-route53",
    "files",
  ]),
  turn: each("turn", [
    { mode: "auto" },
    { mode: "manual", domain: "relay.example.net", udp: true, tls: true },
    { mode: "manual", domain: "relay.example.net", udp: false, tls: true },
    { mode: "manual", domain: "relay.example.net", udp: true, tls: false },
  ]),
  turnUdpPort: each("turnUdpPort", ["3478", "443"]),
  mediaUdp: each("mediaUdp", ["range", "single"]),
  rooms: [
    {},
    {
      rooms: {
        maxParticipants: 50,
        emptyTimeout: 60,
        departureTimeout: 5,
        createdByJoining: false,
        codecs: ["opus", "red", "vp8", "h264"],
      },
      limits: { tracks: 2000, bytesPerSecond: 125_000_000 },
    },
    { rooms: { codecs: ["opus"] }, limits: { tracks: 1 } },
  ],
  firewall: [
    { firewall: { preset: "standard" } },
    { firewall: { preset: "standard" }, sshSource: ["198.51.100.0/24"] },
    { firewall: { preset: "strict" }, sshSource: ["203.0.113.7"] },
    {
      firewall: {
        preset: "custom",
        rules: [{ protocol: "tcp", ports: "9200-9210", source: "203.0.113.0/24" }],
      },
      sshSource: ["203.0.113.7/32"],
    },
  ],
  security: each("security", ["standard", "high", "enterprise"]),
  monitoring: [
    { monitoring: "basic" },
    { monitoring: "advanced" },
    { monitoring: "24/7" },
    { monitoring: "24/7", alertUrl: "https://alerts.example.com/hook?room=1&on=yes" },
  ],
  ingress: [
    { ingress: "none" },
    { ingress: "rtmp" },
    { ingress: "webrtc" },
    { ingress: "both", whipDomain: "in.example.org" },
  ],
  recording: each("recording", [
    { kind: "none" },
    { kind: "local" },
    { kind: "s3", bucket: "012", region: "eu-west-1" },
    {
      kind: "s3",
      bucket: "yes",
      region: "auto",
      endpoint: "https://s3.example.com:9000",
      forcePathStyle: true,
    },
    { kind: "gcs", bucket: "null" },
  ]),
  sip: each("sip", [
    { kind: "none" },
    { kind: "on" },
    { kind: "on", sources: ["203.0.113.0/24", "198.51.100.7"] },
  ]),
  agent: each("agent", [
    { kind: "none" },
    { kind: "image", image: "registry.example.com:5000/team/agent:1.4.2" },
    { kind: "image", image: `ghcr.io/team/agent@sha256:${"0123456789abcdef".repeat(4)}` },
  ]),
  webhooks: each("webhooks", [
    [],
    [
      "https://app.example.com/livekit/events",
      "https://münchen.example.org:8443/hook?tenant=1&on=yes",
    ],
  ]),
  sessions: each("sessions", ["hashed", "named", "off"]),
  updates: each("updates", ["manual", "weekly", "monthly"]),
  drain: each("drain", [{ minutes: 15 }, { minutes: 0 }, { minutes: 720 }]),
  maintenance: each("maintenance", [
    { day: "sunday", hour: 3 },
    { day: "monday", hour: 0 },
    { day: "saturday", hour: 23 },
  ]),
  backups: each("backups", [
    { frequency: "none" },
    { frequency: "daily", ageRecipient: `age1${"q".repeat(58)}` },
    { frequency: "weekly", ageRecipient: `age1${"q".repeat(58)}` },
    { frequency: "monthly", ageRecipient: `age1${"q".repeat(58)}` },
    {
      frequency: "daily",
      ageRecipient: `age1${"q".repeat(58)}`,
      target: {
        kind: "s3",
        bucket: "null",
        region: "auto",
        endpoint: "https://s3.example.com:9000",
        forcePathStyle: true,
        prefix: "012/yes",
      },
    },
    {
      frequency: "weekly",
      ageRecipient: `age1${"q".repeat(58)}`,
      target: { kind: "s3", bucket: "backups", region: "eu-west-1" },
    },
    {
      frequency: "weekly",
      ageRecipient: `age1${"q".repeat(58)}`,
      target: { kind: "gcs", bucket: "backups" },
    },
    {
      frequency: "none",
      ageRecipient: `age1${"q".repeat(58)}`,
      target: { kind: "azure", account: "012345", container: "yes" },
    },
  ]),
  versions: each("versions", [
    {},
    {
      livekit: "v1.8.4",
      egress: "1.9.1",
      ingress: "v1.4.3",
      sip: "v1.10.0",
      caddy: "v2.10.0",
      redis: "7.2.4-alpine",
    },
    { livekit: "v1.10.0", egress: "v1.12.0" },
  ]),
  redis: each("redis", [
    { kind: "bundled" },
    { kind: "external", address: "redis.example.net:6380", username: "yes", tls: true },
    {
      kind: "sentinel",
      addresses: ["sentinel-1.example.net:26379", "sentinel-2.example.net:26379"],
      master: "mymaster",
      ca: ["-----BEGIN CERTIFICATE-----", "bm8gcmVhbCBvbmU=", "-----END CERTIFICATE-----"],
    },
    { kind: "cluster", addresses: ["10.0.0.5:6379"], tls: false },
  ]),
  addresses: [
    { addresses: "ipv4" },
    { addresses: "dual" },
    // Most other answers bring Ubuntu and a region of ours: here others stay with all of them.
    {
      addresses: "dual",
      provider: "aws",
      region: "eu-central-1",
      system: "amazon-linux-2023",
      architecture: "amd64",
    },
    {
      addresses: "ipv4",
      provider: "ovh",
      region: "us-east",
      system: "ubuntu-24.04",
      architecture: "amd64",
    },
    ...["hetzner", "other"].map((provider) => ({
      addresses: "ipv6",
      sip: { kind: "none" },
      provider,
      region: "eu-west",
      system: "ubuntu-24.04",
      versions: {},
      firewall: { preset: "strict" },
      sshSource: ["2001:db8::/32"],
    })),
  ],
  insights: [
    { insights: { kind: "none" } },
    { insights: { kind: "machine", days: 30, gigabytes: 20 }, versions: {} },
  ],
  proxy: each("proxy", ["none", "existing"]),
  secrets: each("secrets", ["server", "browser"]),
};

/** What a cluster has not, which is refused beside it. */
const withoutClusters = [
  ...["certificates", "monitoring", "ingress", "sip", "agent", "updates"],
  ...["redis", "insights", "proxy", "secrets", "versions"],
];

/** The answers beside which there can be several machines. */
const answersOfSeveral: typeof answers = Object.fromEntries(
  Object.entries(answers)
    .filter(([question]) => !withoutClusters.includes(question))
    .map(([question, list]) => [
      question,
      list.filter(({ addresses }) => addresses !== "ipv6").map(({ sip: _, ...rest }) => rest),
    ]),
);

/** The answers beside which they can be behind a balancer, and those that ask for it. */
const balancedAnswers: typeof answers = {
  ...answersOfSeveral,
  certificates: (answers.certificates ?? []).slice(1),
  redis: (answers.redis ?? []).slice(1),
  topology: each("topology", [
    { kind: "balanced" },
    { kind: "balanced", machines: 2, network: "192.168.7.0/26" },
    { kind: "balanced", machines: 9, network: "172.16.0.0/12" },
  ]),
};

/** The answers beside which a deployment can be a cluster, and those that ask for one. */
const clusterAnswers: typeof answers = {
  ...answersOfSeveral,
  topology: each("topology", [
    { kind: "cluster" },
    { kind: "cluster", machines: 2, network: "192.168.7.0/28" },
    { kind: "cluster", machines: 9, network: "100.64.0.0/10" },
  ]),
};

/** The same answers with machines that record alone, where something is recorded. */
const withRecorders = (of: typeof answers): typeof answers => ({
  ...of,
  recording: (of.recording ?? []).filter(
    ({ recording }) => (recording as { kind: string }).kind !== "none",
  ),
  topology: (of.topology ?? []).map(({ topology }, at) => ({
    topology: { ...(topology as object), egress: at + 1 },
  })),
});

function each(option: string, values: readonly unknown[]): Record<string, unknown>[] {
  return values.map((value) => ({ [option]: value }));
}

/** Options from one answer to each question. A combination that is refused is the test's fault. */
export function optionsFrom(input: Record<string, unknown>): DeploymentOptions {
  const { options, problems } = parseOptions({ email: "you@example.com", ...input });
  if (problems)
    throw new Error(problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return options;
}

const {
  domain: _domain,
  email: _email,
  ...defaults
} = optionsFrom({ domain: "livekit.example.com" });

/** Every answer that a new deployment begins with. Domain and email have none. */
export const defaultOptions: Omit<DeploymentOptions, "domain" | "email"> = defaults;

/**
 * Combinations in which every two answers to different questions occur together at least once, filled up
 * to `least`. Greedy, with a fixed seed: the same on every machine.
 */
export function pairwiseOptions(least: number): DeploymentOptions[] {
  return pairwise(answers, least);
}

/** The same of clusters, of two, three and nine machines, without and with machines that record alone. */
export function pairwiseClusters(least: number): DeploymentOptions[] {
  return [...pairwise(clusterAnswers, least), ...pairwise(withRecorders(clusterAnswers), 0)];
}

/** The same of machines behind a balancer. */
export function pairwiseBalanced(least: number): DeploymentOptions[] {
  return [...pairwise(balancedAnswers, least), ...pairwise(withRecorders(balancedAnswers), 0)];
}

function pairwise(of: typeof answers, least: number): DeploymentOptions[] {
  const questions = Object.values(of);
  const open = new Set<string>();
  questions.forEach((mine, q) => {
    questions.slice(q + 1).forEach((others, offset) => {
      for (const a of mine.keys())
        for (const b of others.keys()) open.add(`${q}:${a} ${q + 1 + offset}:${b}`);
    });
  });
  const random = seeded(7);
  const rows: number[][] = [];
  while (open.size > 0 || rows.length < least) {
    const [first] = open;
    let best: { row: number[]; covered: string[] } | undefined;
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const row = questions.map((mine) => Math.floor(random() * mine.length));
      for (const [, q, a] of first?.matchAll(/(\d+):(\d+)/g) ?? []) row[Number(q)] = Number(a);
      const covered = pairsOf(row).filter((pair) => open.has(pair));
      if (!best || covered.length > best.covered.length) best = { row, covered };
    }
    if (!best) break;
    for (const pair of best.covered) open.delete(pair);
    rows.push(best.row);
  }
  return rows.map((row) =>
    optionsFrom(Object.assign({}, ...row.map((answer, q) => questions[q]?.[answer] ?? {}))),
  );
}

function pairsOf(row: readonly number[]): string[] {
  return row.flatMap((a, q) =>
    row.slice(q + 1).map((b, offset) => `${q}:${a} ${q + 1 + offset}:${b}`),
  );
}

/** A small generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
