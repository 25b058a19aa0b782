import type { BundleFile, Port, Role } from "../bundle-types.ts";
import {
  clusterOf,
  egressMachinesOf,
  hasAgent,
  hasEgress,
  severalOf,
  usesInstanceRole,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { portsOf } from "../ports.ts";

/** The number of the user in the container of Egress, which runs a browser. */
const egressUser = 1001;

/**
 * The firewall on the machine. It replaces only its own table, so Docker's rules stay. All containers use the host's
 * network, so a packet that is not accepted here reaches none of them.
 *
 * What the machine sends to an address of its own comes by `lo`, whoever made it send: with a relay of LiveKit's TURN
 * server that is any participant. So only loopback addresses are trusted there. Other packets by `lo` meet the rules for
 * everybody, by which relays reach media, but neither SSH nor a rule for named networks, which may hold that address.
 *
 * Several machines have one for each role: a machine has the ports of its own services open, and no others.
 */
export function firewall(options: DeploymentOptions): BundleFile[] {
  if (!severalOf(options)) {
    return [
      firewallFile(
        "firewall.nft",
        "The machine's firewall: these ports, and nothing else.",
        options,
      ),
    ];
  }
  return [
    ...(clusterOf(options)
      ? [firewallFile("firewall-edge.nft", "The firewall of the edge.", options, "edge")]
      : []),
    firewallFile("firewall-media.nft", "The firewall of a machine for calls.", options, "media"),
    ...(egressMachinesOf(options) > 0
      ? [
          firewallFile(
            "firewall-egress.nft",
            "The firewall of a machine for recording.",
            options,
            "egress",
          ),
        ]
      : []),
  ];
}

function firewallFile(
  path: string,
  purpose: string,
  options: DeploymentOptions,
  role?: Role,
): BundleFile {
  const strict = options.firewall.preset !== "standard";
  const open = portsOf(options).filter(
    (each) => each.audience !== "internal" && (each.role === undefined || each.role === role),
  );
  const limited = open
    .filter(({ ports }) => ports === "22" || (strict && (ports === "80" || ports === "1935")))
    .map(({ ports }) => ports);
  const rules = [
    "ct state established,related accept",
    "ct state invalid drop",
    'iifname "lo" ip daddr 127.0.0.0/8 accept',
    'iifname "lo" ip6 daddr ::1 accept',
    ...(strict ? narrowIcmp : wideIcmp),
    "ip6 saddr fe80::/10 udp dport 546 accept",
    ...limited.flatMap((port) => [
      `tcp dport ${port} ct state new update @clients { ip saddr . tcp dport limit rate over ${port === "22" ? 12 : 120}/minute burst ${port === "22" ? 12 : 120} packets } drop`,
      `tcp dport ${port} ct state new update @clients6 { ip6 saddr . tcp dport limit rate over ${port === "22" ? 12 : 120}/minute burst ${port === "22" ? 12 : 120} packets } drop`,
    ]),
    ...open.flatMap(acceptRules),
    ...(strict ? ['limit rate 10/minute log prefix "livekit dropped: "'] : []),
  ];
  const content = `#!/usr/sbin/nft -f
table inet livekit
delete table inet livekit
table inet livekit {
  set clients {
    type ipv4_addr . inet_service
    size 65535
    flags dynamic,timeout
    timeout 2m
  }
  set clients6 {
    type ipv6_addr . inet_service
    size 65535
    flags dynamic,timeout
    timeout 2m
  }
  chain input {
    type filter hook input priority filter; policy drop;
${rules.map((rule) => `    ${rule}\n`).join("")}  }
${metadataChain(options)}}
`;
  return {
    path,
    content,
    language: "nft",
    purpose,
    installed: { path: `/etc/livekit/${path}`, mode: "0644", owner: "root:root" },
  };
}

const neighbours =
  "icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-query } accept";
const wideIcmp = ["meta l4proto { icmp, ipv6-icmp } accept"];
/** Accepts the ICMP that path MTU discovery and IPv6 need, and five pings a second. */
const narrowIcmp = [
  neighbours,
  "icmp type { destination-unreachable, time-exceeded, parameter-problem } accept",
  "icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem } accept",
  "icmp type echo-request limit rate 5/second accept",
  "icmpv6 type echo-request limit rate 5/second accept",
];

/** A rule for each address family of the sources. */
function acceptRules({ protocol, ports, audience, sources }: Port): string[] {
  const what = `${protocol} dport ${ports} accept`;
  const of = (six: boolean) => sources.filter((source) => source.includes(":") === six);
  const rule = (list: string[], family: string, address: string) => {
    if (list.length === 0) return [];
    const everybody = list.some((source) => source.endsWith("/0"));
    const way = everybody && audience !== "ssh" ? "" : 'iifname != "lo" ';
    const from = everybody ? `meta nfproto ${family}` : `${address} saddr { ${list.join(", ")} }`;
    return [`${way}${from} ${what}`];
  };
  return [...rule(of(false), "ipv4", "ip"), ...rule(of(true), "ipv6", "ip6")];
}

/**
 * The provider's metadata can hold keys of the machine's role. With high or enterprise security, and whenever the browser of
 * Egress or an agent worker runs, only root may ask it, and Egress where it uploads with that role. DNS and time at
 * the same address stay reachable for everybody.
 */
function metadataChain(options: DeploymentOptions): string {
  if (options.security === "standard" && !hasEgress(options) && !hasAgent(options)) return "";
  const allowed = usesInstanceRole(options) ? `{ 0, ${egressUser} }` : "0";
  return `  chain output {
    type filter hook output priority filter; policy accept;
    ip daddr { 169.254.169.254, 168.63.129.16 } tcp dport 80 meta skuid != ${allowed} reject
    ip6 daddr fd00:ec2::254 tcp dport 80 meta skuid != ${allowed} reject
  }
`;
}
