import { providers } from "../provider-table.ts";
import { isRegionId, type Place } from "../providers.ts";
import type { DeploymentOptions } from "./options.ts";

/** Everybody, in both address families. */
export const anywhere = ["0.0.0.0/0", "::/0"] as const;

/** Whether the machine has a public address of this family. */
export function hasFamily({ addresses }: DeploymentOptions, family: "ipv4" | "ipv6"): boolean {
  return addresses === "dual" || addresses === family;
}

/** The ranges that LiveKit and Ingress must not offer: those of the family that the machine lacks. */
export function excludedRanges(options: DeploymentOptions): string[] {
  return [
    ...(hasFamily(options, "ipv4") ? [] : ["0.0.0.0/0"]),
    ...(hasFamily(options, "ipv6") ? [] : ["::/0"]),
  ];
}

/** TURN as it will run. With neither way on there would be none; `parseOptions` refuses that. */
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

/** Whether anything is recorded: without a storage Egress does not run. */
export function hasEgress({ recording }: DeploymentOptions): boolean {
  return recording.kind !== "none";
}

/** How long Egress has for saving what it recorded, when it is told to stop. */
export function savingMinutes({ drain }: DeploymentOptions): number {
  return Math.max(5, drain.minutes);
}

/** Whether RTMP or WHIP streams come in. */
export function hasIngress({ ingress }: DeploymentOptions): boolean {
  return ingress !== "none";
}

/** Whether telephones call in and out. */
export function hasSip({ sip }: DeploymentOptions): boolean {
  return sip.kind === "on";
}

/** Who may send SIP calls and their media: everybody unless somebody is named. */
export function sipSourcesOf({ sip }: DeploymentOptions): readonly string[] {
  return sip.kind === "on" && sip.sources.length > 0 ? sip.sources : anywhere;
}

/** Whether an agent worker of the customer's own runs beside LiveKit. */
export function hasAgent({ agent }: DeploymentOptions): boolean {
  return agent.kind !== "none";
}

/** Whether Prometheus and node-exporter run: from advanced monitoring on. */
export function hasMetrics({ monitoring }: DeploymentOptions): boolean {
  return monitoring !== "basic";
}

export type PublicName = { name: string; service: "livekit" | "turn" | "whip"; path: string };

/** Every name that DNS, the certificate and Caddy must know, with the option that it comes from. */
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

/** Who may reach SSH: everybody under the standard firewall unless somebody is named. */
export function sshSourcesOf({ sshSource }: DeploymentOptions): readonly string[] {
  return sshSource.length > 0 ? sshSource : anywhere;
}

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

/** Whether Egress uploads with the machine's own role, and so must reach the metadata address. */
export function usesInstanceRole({ provider, recording }: DeploymentOptions): boolean {
  return (
    (recording.kind === "s3" && recording.endpoint === undefined && provider === "aws") ||
    (recording.kind === "gcs" && provider === "google-cloud")
  );
}

/** Where backups are copied to, for rclone; empty where they stay on the machine. Deployments may share a bucket. */
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

/** Whether backups are copied with the machine's own role. */
export function backsUpByRole({ provider, backups: { target } }: DeploymentOptions): boolean {
  return (
    (target.kind === "s3" && target.endpoint === undefined && provider === "aws") ||
    (target.kind === "gcs" && provider === "google-cloud") ||
    (target.kind === "azure" && provider === "azure")
  );
}

/** The provider's machine, with the image that it starts from. */
export function machineOf({ provider, size, architecture }: Place) {
  const { sizes, ubuntu, arm } = providers[provider];
  const kind = architecture === "arm64" && arm ? arm : { sizes, ubuntu };
  return { ...kind.sizes[size], ubuntu: kind.ubuntu };
}

/** GB of the machine's disk: at least what the provider's image needs. */
export function diskOf({ provider, disk }: DeploymentOptions): number {
  return Math.max(disk, providers[provider].leastDisk ?? 0);
}

/** Virtual cores of the provider's machine in this size. */
export function coresOf(options: Place): number {
  return machineOf(options).cores;
}

/** The provider's own name of the region. */
export function regionOf({ provider, region }: Place): string {
  return isRegionId(region) ? providers[provider].regions[region] : region;
}

/** Where LiveKit, Egress and Ingress find Redis. */
export function redisAddressOf({ redis }: DeploymentOptions): string {
  return redis.kind === "bundled" ? "localhost:6379" : redis.address;
}
