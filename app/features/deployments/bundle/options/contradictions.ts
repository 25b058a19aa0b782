import type { Problem } from "../bundle-types.ts";
import { internalPorts } from "../ports.ts";
import { isAtLeast } from "../versions.ts";
import {
  balancedOf,
  clusterOf,
  egressMachinesOf,
  getsCertificates,
  hasEgress,
  publicNames,
  severalOf,
} from "./derived-options.ts";
import type { DeploymentOptions } from "./options.ts";
import { placeProblems } from "./place-problems.ts";

/** Problems between options that are each valid. A problem is reported at the field that the customer should change. */
export function contradictions(options: DeploymentOptions): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: string, message: string) => problems.push({ path, message });

  problems.push(...placeProblems(options));
  if (options.system === "amazon-linux-2023" && options.provider !== "aws")
    refuse("system", "Amazon Linux runs on AWS only. Choose ubuntu-24.04.");
  if (options.turn.mode === "manual" && !options.turn.udp && !options.turn.tls)
    refuse("turn", "Leave at least one of UDP and TLS on, or TURN cannot be reached.");
  if (options.firewall.preset !== "standard" && options.sshSource.length === 0)
    refuse(
      "sshSource",
      "Say from which addresses you use SSH: this firewall opens it to them only.",
    );
  if (
    options.security === "enterprise" &&
    (options.backups.frequency !== "none" || options.backups.target.kind !== "machine") &&
    options.backups.ageRecipient === undefined
  )
    refuse("backups.ageRecipient", "Enterprise security wants encrypted backups: add an age key.");

  problems.push(...redisProblems(options), ...severalProblems(options));
  if (options.rooms.codecs.length > 0 && !options.rooms.codecs.includes("opus"))
    refuse("rooms.codecs", "Add opus: without it nobody is heard.");

  const seen = new Map<string, string>();
  for (const { name, path } of publicNames(options)) {
    const first = seen.get(name);
    if (first !== undefined)
      refuse(path, `${name} is used for ${first} too. Every name serves one purpose.`);
    else seen.set(name, path);
    if (name.length > 253) refuse(path, `${name} is longer than the 253 characters of a domain.`);
  }
  if (options.addresses !== "dual") {
    const [has, ipv6] = options.addresses === "ipv4" ? ["IPv4", false] : ["IPv6", true];
    const refuseOther = (path: string, source: string) => {
      if (source.includes(":") !== ipv6)
        refuse(path, `This machine has ${has} only. Choose dual, or an ${has} range.`);
    };
    options.sshSource.forEach((source, index) => {
      refuseOther(`sshSource.${index}`, source);
    });
    if (options.sip.kind === "on")
      options.sip.sources.forEach((source, index) => {
        refuseOther(`sip.sources.${index}`, source);
      });
    if (options.firewall.preset === "custom")
      options.firewall.rules.forEach(({ source }, index) => {
        refuseOther(`firewall.rules.${index}.source`, source);
      });
  }
  if (options.addresses === "ipv6" && options.sip.kind === "on")
    refuse("sip", "LiveKit's SIP service needs an IPv4 address. Choose ipv4 or dual.");

  if (options.addresses === "ipv6" && !isAtLeast(options.versions.livekit, "1.13.5"))
    refuse("versions.livekit", "TURN over IPv6 alone needs LiveKit v1.13.5 or later.");

  if (options.insights.kind !== "none" && !isAtLeast(options.versions.livekit, "1.9.2"))
    refuse("versions.livekit", "Agent insights need LiveKit v1.9.2 or later.");

  if (options.firewall.preset === "custom") {
    const closed = internalPorts(options);
    options.firewall.rules.forEach(({ protocol, ports }, index) => {
      const [from = 0, to = from] = ports.split("-").map(Number);
      const inside = closed.find(
        (port) =>
          port.protocol === protocol && from <= Number(port.ports) && Number(port.ports) <= to,
      );
      if (inside)
        refuse(
          `firewall.rules.${index}.ports`,
          `Port ${inside.ports}/${protocol} is internal (${inside.purpose}) and stays closed.`,
        );
    });
  }
  return problems;
}

const certificates =
  /^(-----BEGIN CERTIFICATE-----\n(?!-----)([A-Za-z0-9+/=]+\n)+-----END CERTIFICATE-----(\n|$))+$/;

function redisProblems({ redis }: DeploymentOptions): Problem[] {
  if (redis.kind === "bundled") return [];
  const problems: Problem[] = [];
  if (redis.ca.length > 0 && !certificates.test(redis.ca.join("\n")))
    problems.push({
      path: "redis.ca",
      message: "This is no whole certificate in PEM: paste it from BEGIN to END.",
    });
  if (redis.ca.length > 0 && !redis.tls)
    problems.push({
      path: "redis.ca",
      message: "Without TLS no certificate is checked. Choose TLS, or leave this empty.",
    });
  return problems;
}

type Refusal = [path: string, isRefused: boolean, message: string];

/** What several machines do not have yet, and what each of them needs. */
function severalProblems(options: DeploymentOptions): Problem[] {
  if (!severalOf(options)) return [];
  const refused: Refusal[] = [
    ...(clusterOf(options) ? clusterRefusals(options) : balancedRefusals(options)),
    ["addresses", options.addresses === "ipv6", "The machines of a cluster need IPv4."],
    [
      "versions.livekit",
      !isAtLeast(options.versions.livekit, "1.9.12"),
      "Rooms are shared out over a cluster by LiveKit v1.9.12 or later.",
    ],
    ["proxy", options.proxy !== "none", "A cluster has port 443 to itself."],
    [
      "topology.egress",
      egressMachinesOf(options) > 0 && !hasEgress(options),
      "Nothing is recorded, so no machine does it. Choose where recordings go, or 0.",
    ],
    [
      "secrets",
      options.secrets === "browser",
      "One machine of a cluster makes the secrets, and the others get them from it. Choose server.",
    ],
    ["ingress", options.ingress !== "none", "A cluster does not have Ingress yet."],
    ["sip", options.sip.kind === "on", "A cluster does not have SIP yet."],
    [
      "agent",
      options.agent.kind !== "none",
      "A cluster runs no agent worker. Run it on a machine of its own, with the domain as LIVEKIT_URL.",
    ],
    ["insights", options.insights.kind !== "none", "A cluster does not take agent insights yet."],
    [
      "updates",
      options.updates !== "manual",
      "A cluster is updated one machine after the other, by cluster.sh from your computer. Choose manual.",
    ],
    [
      "monitoring",
      options.monitoring !== "basic",
      "A cluster has no Prometheus of its own. Choose basic, and see all machines in the console.",
    ],
  ];
  return refused.flatMap(([path, isRefused, message]) => (isRefused ? [{ path, message }] : []));
}

function clusterRefusals(options: DeploymentOptions): Refusal[] {
  return [
    [
      "redis.kind",
      options.redis.kind !== "bundled",
      "A cluster has its Redis on the edge. Choose bundled.",
    ],
    [
      "certificates",
      !getsCertificates(options),
      "The edge of a cluster gets its certificates itself. Choose automatic.",
    ],
  ];
}

function balancedRefusals(options: DeploymentOptions): Refusal[] {
  const bits = Number(balancedOf(options)?.network.split("/")[1]);
  return [
    [
      "redis.kind",
      options.redis.kind === "bundled",
      "Machines behind a balancer share a Redis that is on none of them. Choose one of your own.",
    ],
    [
      "certificates",
      getsCertificates(options),
      "Behind a balancer a machine cannot show that a name leads to it. Choose certificates by DNS, or files.",
    ],
    [
      "topology.network",
      options.provider === "aws" && bits > 26,
      "At AWS machines behind a balancer are in two zones, with a network of /26 or larger.",
    ],
  ];
}
