import type { BundleFile, Connection, Port } from "../bundle-types.ts";
import {
  backsUpByRole,
  backupTargetOf,
  certificateDnsOf,
  egressMachinesOf,
  getsCertificates,
  redisAddressOf,
  roleOf,
  servicesOf,
  severalOf,
  turnOf,
  whipDomainOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { portsOf } from "../ports.ts";
import { shellQuoted } from "../quoting.ts";
import { catalogue } from "../releases.ts";
import { advisoriesOf, affectedReleases, components, pinnedImage } from "../versions.ts";
import { inOptLivekit } from "./installed.ts";

/** How many backups are kept: daily, weekly and monthly ones. */
const backupCounts = "7,5,6";

/** The options that the scripts read. sh and systemd read this file; it holds no secrets. */
export function deploymentEnv(options: DeploymentOptions, connection?: Connection): BundleFile[] {
  const turn = turnOf(options);
  const yesOrNo = (flag: boolean) => (flag ? "yes" : "no");
  const open = portsOf(options).filter(({ audience }) => audience === "public");
  const names = {
    DOMAIN: options.domain,
    TURN_DOMAIN: turn.tls ? turn.domain : "",
    WHIP_DOMAIN: whipDomainOf(options) ?? "",
    EXTRA_DOMAINS: options.extraDomains.join(","),
    SYSTEM: options.system,
    TURN_TLS: yesOrNo(turn.tls),
    TURN_UDP: yesOrNo(turn.udp),
    TURN_UDP_PORT: String(turn.udpPort),
    RECORDING: options.recording.kind,
    REDIS: options.redis.kind === "bundled" ? "bundled" : "external",
    REDIS_ADDRESS: redisAddressOf(options),
    PROXY: options.proxy,
    ADDRESSES: options.addresses,
    DRAIN_MINUTES: String(options.drain.minutes),
    BACKUPS: options.backups.frequency,
    BACKUP_KEEP: options.backups.frequency === "none" ? "" : backupCounts,
    BACKUP_TARGET: backupTargetOf(options),
    BACKUP_KEYS: backsUpByRole(options) ? "" : options.backups.target.kind,
    ...(options.backups.target.kind === "machine" ? {} : { RCLONE_IMAGE: pinnedImage("rclone") }),
    BACKUP_RECIPIENT: options.backups.ageRecipient ?? "",
    MONITORING: options.monitoring,
    KNOWN_BAD: connection?.knownBad ?? knownBadVersions(options),
    ALERT_URL: options.monitoring === "24/7" ? (options.alertUrl ?? "") : "",
    WEBHOOKS: yesOrNo(options.webhooks.length > 0),
    PUBLIC_PORTS: listed(open),
    SERVICES: servicesOf(options).join(","),
    ...clusterNames(options, open),
    ...certificateNames(options),
    ...insightsLimits(options),
    ...(connection ? { CONSOLE_URL: connection.url, SESSIONS: options.sessions } : {}),
  };
  return [
    {
      path: "deployment.env",
      content: Object.entries(names)
        .map(([name, value]) => `${name}=${shellQuoted(value)}\n`)
        .join(""),
      language: "env",
      purpose: "What the scripts on the machine must know. No secrets.",
      installed: inOptLivekit("deployment.env"),
    },
  ];
}

const listed = (ports: readonly Port[]) =>
  ports.map(({ ports: number, protocol }) => `${number}/${protocol}`).join(",");

/** Nothing with one server. With several machines environment.sh takes SERVICES and PUBLIC_PORTS from those of the machine's role. */
function clusterNames(options: DeploymentOptions, open: readonly Port[]): Record<string, string> {
  const several = severalOf(options);
  if (!several) return {};
  const services = Map.groupBy(servicesOf(options), (name) => roleOf(options, name));
  const ports = Map.groupBy(open, ({ role }) => role);
  return {
    TOPOLOGY: several.kind,
    NETWORK: several.network,
    MACHINES: String(several.machines),
    EDGE_SERVICES: (services.get("edge") ?? []).join(","),
    MEDIA_SERVICES: (services.get("media") ?? []).join(","),
    ...(egressMachinesOf(options) > 0
      ? {
          EGRESS_MACHINES: String(egressMachinesOf(options)),
          EGRESS_SERVICES: (services.get("egress") ?? []).join(","),
        }
      : {}),
    EDGE_PORTS: listed(ports.get("edge") ?? []),
    MEDIA_PORTS: listed(ports.get("media") ?? []),
  };
}

/** Nothing without agent insights, so that such files stay as they were. */
function insightsLimits({ insights }: DeploymentOptions): Record<string, string> {
  if (insights.kind === "none") return {};
  return {
    INSIGHTS_DAYS: String(insights.days),
    INSIGHTS_GIGABYTES: String(insights.gigabytes),
  };
}

/** Nothing where Caddy gets the certificates itself, so that such files stay as they were. */
function certificateNames(options: DeploymentOptions): Record<string, string> {
  if (getsCertificates(options)) return {};
  const byDns = certificateDnsOf(options);
  if (!byDns) return { CERTIFICATES: "files" };
  return {
    CERTIFICATES: "dns",
    DNS_PROVIDER: byDns.dns,
    DNS_CREDENTIALS: byDns.credentials.join(","),
    EMAIL: options.email,
    LEGO_IMAGE: pinnedImage("lego"),
  };
}

/** Every version that has an advisory: all in the table, and chosen ones that the table does not list. */
export function knownBadVersions({ versions }: DeploymentOptions): string {
  const chosen = components
    .filter((component) => !Object.hasOwn(catalogue[component].releases, versions[component]))
    .filter((component) => advisoriesOf(component, versions[component]).length > 0)
    .map((component) => `${component}:${versions[component]}`);
  return [...new Set([...affectedReleases, ...chosen])].join(",");
}
