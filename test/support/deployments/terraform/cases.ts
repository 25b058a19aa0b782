import type {
  Bundle,
  Connection,
} from "../../../../app/features/deployments/bundle/bundle-types.ts";
import { providers as table } from "../../../../app/features/deployments/bundle/provider-table.ts";
import { bundle } from "../bundle.ts";
import { optionsFrom } from "../bundle-cases.ts";
import { token } from "../console-machine.ts";
import { addressesOf, type Provider, providers } from "../provider-command-lines.ts";

/** A console at which a new machine introduces itself, so that the bundle has user data of a kilobyte. */
export const connection: Connection = {
  url: "https://servers.example.com",
  token,
  version: { deployment: "44444444-4444-4444-8444-444444444444", number: 12 },
};

export type TerraformCase = {
  provider: Provider;
  name: string;
  typed: Record<string, unknown>;
} & Pick<Bundle, "files" | "ports" | "dnsRecords">;

/** Answers with which the machine itself works at its bucket or its backups. */
const roles: Partial<Record<Provider, Record<string, unknown>>> = {
  aws: { recording: { kind: "s3", bucket: "calls", region: "eu-west-1" } },
  "google-cloud": { recording: { kind: "gcs", bucket: "calls" } },
  azure: {
    backups: {
      frequency: "weekly",
      ageRecipient: `age1${"q".repeat(58)}`,
      target: { kind: "azure", account: "012345", container: "yes" },
    },
  },
};

const clusterPorts = {
  sshSource: ["198.51.100.0/24"],
  firewall: {
    preset: "custom",
    rules: Array.from({ length: 20 }, (_, at) => ({
      protocol: at % 2 === 0 ? "tcp" : "udp",
      ports: `${9200 + at * 10}-${9205 + at * 10}`,
      source: "203.0.113.0/24",
    })),
  },
};

const manyPorts = (addresses: string) => ({
  ...clusterPorts,
  addresses,
  ingress: "both",
  sip: {
    kind: "on",
    sources: ["203.0.113.0/24", ...(addresses === "dual" ? ["2001:db8::/32"] : [])],
  },
});

/** Answers of machines behind a balancer. */
export const balanced = {
  topology: { kind: "balanced" },
  certificates: "dns-hetzner",
  redis: { kind: "external", address: "redis.example.com:6379" },
};
const sentinel = { kind: "sentinel", master: "livekit", addresses: ["10.0.0.200:26379"] };

/** Where main.tf makes machines behind a balancer. A cluster it makes at every provider. */
export const balancedAt: readonly Provider[] = ["aws", "digital-ocean", "hetzner"];

const made = (typed: Record<string, unknown>, isConnected?: true) =>
  bundle(optionsFrom(typed), undefined, isConnected && connection);

const recorded = { recording: { kind: "local" } };

type Form = { name: string; more: Record<string, unknown>; connected?: true };

/** Every form that main.tf of several machines has. */
export function machinesCases(at: readonly Provider[] = providers): TerraformCase[] {
  return at.flatMap((provider) => {
    const role = roles[provider];
    const isBalancedToo = balancedAt.includes(provider);
    const forms: Form[] = [
      ...addressesOf(provider)
        .filter((addresses) => addresses !== "ipv6")
        .map((addresses) => ({ name: `cluster, ${addresses}`, more: { addresses } })),
      { name: "cluster, connected", more: { size: "large" }, connected: true },
      { name: "cluster, many ports", more: clusterPorts },
      {
        name: "cluster of nine, other domains",
        more: {
          topology: { kind: "cluster", machines: 9, network: "192.168.7.0/28" },
          domain: "xn--mnchen-3ya.example.com",
          extraDomains: ["rtc.example.org"],
        },
      },
      {
        name: "cluster, recording",
        more: { ...recorded, topology: { kind: "cluster", egress: 2 } },
      },
      ...(table[provider].arm
        ? [{ name: "cluster, ARM", more: { architecture: "arm64", region: "eu-west" } }]
        : []),
      ...(role ? [{ name: "cluster, role", more: role }] : []),
    ];
    const behindBalancer: Form[] = [
      { name: "balanced, dual", more: balanced },
      {
        name: "balanced, recording",
        more: { ...balanced, ...recorded, topology: { kind: "balanced", egress: 1 } },
      },
      { name: "balanced, ipv4", more: { ...balanced, addresses: "ipv4" } },
      { name: "balanced, Sentinel", more: { ...balanced, redis: sentinel } },
      {
        name: "balanced of nine, other domains",
        more: {
          ...balanced,
          topology: { kind: "balanced", machines: 9, network: "192.168.7.0/26" },
          domain: "xn--mnchen-3ya.example.com",
          extraDomains: ["rtc.example.org"],
        },
      },
    ];
    return [...forms, ...(isBalancedToo ? behindBalancer : [])].map(({ name, more, connected }) => {
      const usual = { domain: "livekit.example.com", provider, topology: { kind: "cluster" } };
      const typed = { ...usual, ...more };
      return { provider, name, typed, ...made(typed, connected) };
    });
  });
}

/** Every form that main.tf has at each provider. */
export function terraformCases(): TerraformCase[] {
  return providers.flatMap((provider) => {
    const { arm } = table[provider];
    const role = roles[provider];
    const forms: { name: string; typed: Record<string, unknown>; connected?: true }[] = [
      ...addressesOf(provider).map((addresses) => ({
        name: addresses,
        typed: { addresses, ...(addresses === "ipv6" ? { sshSource: ["2001:db8::/32"] } : {}) },
      })),
      { name: "connected", typed: {}, connected: true },
      { name: "secrets of a browser", typed: { secrets: "browser" } },
      { name: "many ports", typed: manyPorts(provider === "ovh" ? "ipv4" : "dual") },
      {
        name: "other domains",
        typed: { domain: "xn--mnchen-3ya.example.com", extraDomains: ["rtc.example.org"] },
      },
      ...(arm ? [{ name: "ARM", typed: { architecture: "arm64", region: "eu-west" } }] : []),
      ...(role ? [{ name: "role", typed: role }] : []),
      ...(provider === "aws"
        ? [{ name: "Amazon Linux", typed: { system: "amazon-linux-2023" } }]
        : []),
    ];
    return forms.map(({ name, typed: more, connected }) => {
      const typed = { domain: "livekit.example.com", provider, ...more };
      return { provider, name, typed, ...made(typed, connected) };
    });
  });
}
