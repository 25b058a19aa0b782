import type { Connection, Role } from "../bundle-types.ts";
import { providers } from "../provider-table.ts";
import { isRegionId, type MachineChoice } from "../providers.ts";
import type { DeploymentOptions } from "./options.ts";

/** The ranges that hold every IPv4 and every IPv6 address. */
export const anywhere = ["0.0.0.0/0", "::/0"] as const;

/** Whether the machine has a public address of this family. */
export function hasFamily({ addresses }: DeploymentOptions, family: "ipv4" | "ipv6"): boolean {
  return addresses === "dual" || addresses === family;
}

/** The ranges whose addresses LiveKit and Ingress must not offer: those of the family that the machine does not have. */
export function excludedRanges(options: DeploymentOptions): string[] {
  return [
    ...(hasFamily(options, "ipv4") ? [] : ["0.0.0.0/0"]),
    ...(hasFamily(options, "ipv6") ? [] : ["::/0"]),
  ];
}

/** The settings of TURN. At least one of UDP and TLS is on: `parseOptions` refuses anything else. */
export function turnOf({ turn, domain, turnUdpPort }: DeploymentOptions) {
  const udpPort = Number(turnUdpPort);
  return turn.mode === "auto"
    ? { domain: `turn.${domain}`, udp: true, tls: true, udpPort }
    : { domain: turn.domain, udp: turn.udp, tls: turn.tls, udpPort };
}

/** Whether Ingress takes this kind of stream. */
export function acceptsIngress({ ingress }: DeploymentOptions, kind: "rtmp" | "webrtc"): boolean {
  return ingress === kind || ingress === "both";
}

/** The name that WHIP clients use; null without WHIP. */
export function whipDomainOf(options: DeploymentOptions): string | null {
  return acceptsIngress(options, "webrtc")
    ? (options.whipDomain ?? `whip.${options.domain}`)
    : null;
}

/** Whether Egress runs: only where recordings have a storage. */
export function hasEgress({ recording }: DeploymentOptions): boolean {
  return recording.kind !== "none";
}

/** How long Egress may take to save its recordings when it is stopped, in minutes. */
export function savingMinutes({ drain }: DeploymentOptions): number {
  return Math.max(5, drain.minutes);
}

/** Whether Ingress runs, for RTMP or WHIP. */
export function hasIngress({ ingress }: DeploymentOptions): boolean {
  return ingress !== "none";
}

/** Whether LiveKit's events wait on the machine for the console, which it has in this bundle. */
export function sendsSessions(
  { sessions }: DeploymentOptions,
  connection: Connection | undefined,
): boolean {
  return connection !== undefined && sessions !== "off";
}

/** Whether the machine takes what agents record of their sessions. */
export function hasInsights({ insights }: DeploymentOptions): boolean {
  return insights.kind !== "none";
}

/** Whether LiveKit's SIP service runs, for telephone calls. */
export function hasSip({ sip }: DeploymentOptions): boolean {
  return sip.kind === "on";
}

/** The ranges that may send SIP calls and their media. Everybody may, unless the options name ranges. */
export function sipSourcesOf({ sip }: DeploymentOptions): readonly string[] {
  return sip.kind === "on" && sip.sources.length > 0 ? sip.sources : anywhere;
}

/** Whether an agent worker of the customer runs beside LiveKit. */
export function hasAgent({ agent }: DeploymentOptions): boolean {
  return agent.kind !== "none";
}

/** Whether Prometheus and node-exporter run: with advanced and with 24/7 monitoring. */
export function hasMetrics({ monitoring }: DeploymentOptions): boolean {
  return monitoring !== "basic";
}

export type PublicName = { name: string; service: "livekit" | "turn" | "whip"; path: string };

/** Every name that needs a DNS record, a certificate and a route in Caddy, with the option that it comes from. */
export function publicNames(options: DeploymentOptions): PublicName[] {
  const turn = turnOf(options);
  const whip = whipDomainOf(options);
  return [
    { name: options.domain, service: "livekit", path: "domain" },
    ...options.extraDomains.map((name, index) => ({
      name,
      service: "livekit" as const,
      path: `extraDomains.${index}`,
    })),
    ...(turn.tls ? [{ name: turn.domain, service: "turn" as const, path: "turn.domain" }] : []),
    ...(whip === null ? [] : [{ name: whip, service: "whip" as const, path: "whipDomain" }]),
  ];
}

/** The ranges that may reach SSH. Everybody may, unless the options name ranges; only the standard firewall allows that. */
export function sshSourcesOf({ sshSource }: DeploymentOptions): readonly string[] {
  return sshSource.length > 0 ? sshSource : anywhere;
}

/** The several machines that these options ask for; undefined with one server. */
export function severalOf({ topology }: DeploymentOptions) {
  return topology.kind === "single" ? undefined : topology;
}

/** The cluster with an edge that these options ask for. */
export function clusterOf({ topology }: DeploymentOptions) {
  return topology.kind === "cluster" ? topology : undefined;
}

/** How many machines run Egress alone. With none it runs on the media machines. */
export const egressMachinesOf = (options: DeploymentOptions): number =>
  severalOf(options)?.egress ?? 0;

/** How many machines a deployment has: one, or the media machines, those for recording, and of a cluster the edge. */
export const machinesOf = (options: DeploymentOptions): number =>
  (severalOf(options)?.machines ?? 0) + egressMachinesOf(options) + (balancedOf(options) ? 0 : 1);

/** The machines behind a balancer of the provider that these options ask for. */
export function balancedOf({ topology }: DeploymentOptions) {
  return topology.kind === "balanced" ? topology : undefined;
}

/** On which of several machines a service runs. Behind a balancer there is no edge. */
export function roleOf(options: DeploymentOptions, service: string): Role {
  if (service === "egress" && egressMachinesOf(options) > 0) return "egress";
  const isAtEdge = service === "caddy" || service === "redis";
  return isAtEdge && clusterOf(options) ? "edge" : "media";
}

/** The name by which the machines of a cluster reach its edge. */
export const edgeName = "livekit-edge";

/** The services of the Compose file, in its order. */
export function servicesOf(options: DeploymentOptions): string[] {
  return [
    "caddy",
    "livekit",
    ...(options.redis.kind === "bundled" ? ["redis"] : []),
    ...(hasEgress(options) ? ["egress"] : []),
    ...(hasIngress(options) ? ["ingress"] : []),
    ...(hasSip(options) ? ["sip"] : []),
    ...(hasMetrics(options) ? ["prometheus", "node-exporter"] : []),
    ...(hasAgent(options) ? ["agent"] : []),
  ];
}

/** Whether Egress uploads with the role of the machine. It then asks the provider's metadata address for credentials. */
export function usesInstanceRole({ provider, recording }: DeploymentOptions): boolean {
  return (
    (recording.kind === "s3" && recording.endpoint === undefined && provider === "aws") ||
    (recording.kind === "gcs" && provider === "google-cloud")
  );
}

/**
 * Where rclone copies backups to; empty where they stay on the machine. The domain is part of it, so that several
 * deployments can share a bucket.
 */
export function backupTargetOf({ backups: { target }, domain }: DeploymentOptions): string {
  switch (target.kind) {
    case "machine":
      return "";
    case "azure":
      return `target:${target.container}/${domain}`;
    case "gcs":
      return `target:${target.bucket}/${domain}`;
    case "s3":
      return `target:${target.bucket}/${target.prefix === undefined ? "" : `${target.prefix}/`}${domain}`;
  }
}

/** Whether backups are copied with the role of the machine, so that nobody types keys. */
export function backsUpByRole({ provider, backups: { target } }: DeploymentOptions): boolean {
  return (
    (target.kind === "s3" && target.endpoint === undefined && provider === "aws") ||
    (target.kind === "gcs" && provider === "google-cloud") ||
    (target.kind === "azure" && provider === "azure")
  );
}

/** Whether Caddy gets the certificates itself. The authorities reach the machine on port 80 for that. */
export function getsCertificates({ certificates }: DeploymentOptions): boolean {
  return certificates === "automatic";
}

/** How lego calls what lets it change records at a DNS provider, by its names of them. */
const dnsCredentials = {
  cloudflare: ["CF_DNS_API_TOKEN"],
  digitalocean: ["DO_AUTH_TOKEN"],
  hetzner: ["HETZNER_API_TOKEN"],
  route53: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
} as const;

/**
 * By which DNS provider the machine gets its certificate, and what is typed on it for that: nothing where its role may
 * change the records. Undefined where it comes from elsewhere.
 */
export function certificateDnsOf({ certificates, provider }: DeploymentOptions) {
  if (certificates === "automatic" || certificates === "files") return undefined;
  const dns = certificates.slice("dns-".length) as keyof typeof dnsCredentials;
  const byRole = dns === "route53" && provider === "aws";
  const credentials: readonly string[] = byRole ? [] : dnsCredentials[dns];
  return { dns, credentials };
}

/** The provider's type of machine, its number of cores, and the image that it starts from. */
export function machineOf({ provider, size, architecture }: Omit<MachineChoice, "region">) {
  const { sizes, ubuntu, arm } = providers[provider];
  const kind = architecture === "arm64" && arm ? arm : { sizes, ubuntu };
  return { ...kind.sizes[size], ubuntu: kind.ubuntu };
}

/** The size of the disk in GB: the chosen one, or more where the provider's image needs more. */
export function diskOf({ provider, disk }: DeploymentOptions): number {
  return Math.max(disk, providers[provider].leastDisk ?? 0);
}

/** The number of virtual cores of the machine. */
export function coresOf(options: MachineChoice): number {
  return machineOf(options).cores;
}

/** The provider's name of the region. */
export function regionOf({ provider, region }: Pick<MachineChoice, "provider" | "region">): string {
  return isRegionId(region) ? providers[provider].regions[region] : region;
}

/** Where LiveKit, Egress and Ingress find Redis. */
export function redisAddressOf({ redis, topology }: DeploymentOptions): string {
  if (redis.kind === "bundled")
    return `${topology.kind === "cluster" ? edgeName : "127.0.0.1"}:6379`;
  return redis.kind === "external" ? redis.address : redis.addresses.join(",");
}
