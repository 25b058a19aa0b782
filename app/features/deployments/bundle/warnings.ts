import type { Problem, UserData } from "./bundle-types.ts";
import {
  backsUpByRole,
  certificateDnsOf,
  coresOf,
  diskOf,
  egressMachinesOf,
  hasAgent,
  hasEgress,
  hasSip,
  regionOf,
  severalOf,
  sipSourcesOf,
  sshSourcesOf,
  turnOf,
  usesInstanceRole,
} from "./options/derived-options.ts";
import type { DeploymentOptions } from "./options/options.ts";
import { providers } from "./provider-table.ts";
import { advisoriesOf, advisoryWords, components } from "./versions.ts";

/** Warnings about options that are valid but may surprise the customer. Each names its option. */
export function warningsOf(options: DeploymentOptions, secretsGiven: boolean): Problem[] {
  const warnings: Problem[] = [];
  const warn = (path: string, message: string) => warnings.push({ path, message });
  const { recording, provider, firewall } = options;

  const recordsAlone = egressMachinesOf(options) > 0;
  if (hasEgress(options) && coresOf(options) < (recordsAlone ? 4 : 5))
    warn(
      "size",
      `Recording a whole room takes 4 cores, and ${recordsAlone ? "a machine for it" : "this machine"} has ${coresOf(options)}${coresOf(options) < 4 ? ": Egress will refuse it" : " for its calls as well"}. Choose ${recordsAlone ? "medium" : severalOf(options) ? "large, or machines for recording" : "large"}, or record single tracks.`,
    );
  if (recording.kind === "local")
    warn(
      "recording",
      `Recordings ${severalOf(options) ? "stay on the machine that made them" : "share the machine's disk with Redis"}. A room fills about 1.4 GB in an hour: empty /opt/livekit/out in time.`,
    );
  if ((recording.kind === "s3" || recording.kind === "gcs") && !usesInstanceRole(options))
    warn(
      "recording",
      `The machine has no role for this bucket. Log in after the first boot and run: sudo livekit-deploy set storage-keys${recording.kind === "gcs" ? " KEY.json" : ""}`,
    );
  if (recording.kind !== "none" && usesInstanceRole(options))
    warn(
      "recording",
      "Give the machine a role that may write to this bucket, and to nothing else.",
    );
  if (sshSourcesOf(options).some((source) => source.endsWith("/0")))
    warn("sshSource", "SSH is open to everybody. Name the addresses that you log in from.");
  if (firewall.preset === "custom" && firewall.rules.length === 0)
    warn("firewall.rules", "There is no rule of yours yet, so this firewall equals strict.");
  for (const component of components)
    for (const advisory of advisoriesOf(component, options.versions[component]))
      warn(
        `versions.${component}`,
        `${options.versions[component]} is better skipped. ${advisoryWords(advisory)}`,
      );
  if (options.turnUdpPort === "443" && !turnOf(options).udp)
    warn("turnUdpPort", "TURN over UDP is off, so this port is not used.");
  else if (options.turnUdpPort === "443" && options.proxy === "existing")
    warn(
      "turnUdpPort",
      "Your proxy must not use 443/udp: switch HTTP/3 off there, or choose 3478.",
    );
  if (options.alertUrl !== undefined && options.monitoring !== "24/7")
    warn("alertUrl", "Alerts are sent with 24/7 monitoring only. This address is not used.");
  if (options.alertUrl === undefined && options.monitoring === "24/7")
    warn("alertUrl", "Nobody is told when something breaks. Write an address that takes alerts.");
  if (
    options.whipDomain !== undefined &&
    options.ingress !== "webrtc" &&
    options.ingress !== "both"
  )
    warn("whipDomain", "WHIP is off, so this name is not used.");
  if (hasSip(options) && sipSourcesOf(options).some((source) => source.endsWith("/0")))
    warn(
      "sip.sources",
      "SIP is open to everybody, and scanners find port 5060 within minutes. Name the address ranges of your trunk provider, for calls and for their media.",
    );
  if (hasSip(options) && coresOf(options) < 4)
    warn(
      "size",
      `SIP converts the sound of each call on this machine, which has ${coresOf(options)} cores. Choose medium or large.`,
    );
  if (hasAgent(options))
    warn(
      "agent.image",
      `About 25 voice agents take 4 cores, beside what calls take, and this machine has ${coresOf(options)}.${options.proxy === "existing" ? " LiveKit's agent framework answers on port 8081, where Caddy gets its certificates here: give your worker another port." : ""}`,
    );
  if (
    hasAgent(options) &&
    (usesInstanceRole(options) || backsUpByRole(options) || options.secrets === "browser")
  )
    warn(
      "agent.image",
      "An agent's image that runs as root can read the keys of the machine's role and its user data. Give it a user of its own.",
    );
  if (options.backups.ageRecipient !== undefined && options.backups.frequency === "none")
    warn("backups.ageRecipient", "Backups are off, so this key is not used.");
  if (options.backups.target.kind !== "machine")
    warn(
      "backups.target",
      backsUpByRole(options)
        ? "Give the machine a role that may list, read, write and delete where the backups go, and nothing else."
        : `The machine has no role for the backups' place. Log in after the first boot and run: sudo livekit-deploy set backup-keys${options.backups.target.kind === "gcs" ? " KEY.json" : ""}`,
    );
  if (options.backups.frequency !== "none" && options.backups.ageRecipient === undefined)
    warn(
      "backups.ageRecipient",
      "Backups hold every secret. Add an age key, and they are encrypted.",
    );
  if (options.redis.kind !== "bundled" && !options.redis.tls)
    warn("redis.tls", "The password reaches Redis unencrypted. Use a private network, or TLS.");
  if (options.redis.kind !== "bundled")
    warn(
      "redis",
      "LiveKit waits for the password of your Redis. Log in after the first boot and run: sudo livekit-deploy set redis-password",
    );
  if (options.certificates === "files")
    warn(
      "certificates",
      "The server has no certificate until you give it yours. Log in after the first boot and run: sudo livekit-deploy certificate FULLCHAIN.pem KEY.pem",
    );
  const byDns = certificateDnsOf(options);
  if (byDns)
    warn(
      "certificates",
      byDns.credentials.length > 0
        ? "The server has no certificate until it has the credentials of your DNS provider. Log in after the first boot and run: sudo livekit-deploy set dns-credentials"
        : "Give the machine a role that may list your zones in Route 53 and change the records of this one.",
    );
  if (options.proxy === "existing")
    warn(
      "proxy",
      "Your proxy must pass these names on by SNI, without ending TLS. The README shows how. The firewall closes every port of this machine but the deployment's and 22: add your other services as custom rules first.",
    );
  if (options.secrets === "browser") {
    warn(
      "secrets",
      secretsGiven
        ? `The secrets stand in cloud-init.yaml, and whoever may read the machine's user data may read them.${provider === "azure" ? " Azure advises against it." : ""}`
        : "The secrets are added in your browser when you download.",
    );
  }
  const { label, diskInSize } = providers[provider];
  if (diskInSize && options.disk !== 40)
    warn(
      "disk",
      provider === "other"
        ? "We do not make this machine, so its disk is yours to choose."
        : `At ${label} the disk belongs to the size, so this answer is not used.`,
    );
  if (!diskInSize && options.disk !== 40 && diskOf(options) > options.disk)
    warn("disk", `${label}'s image needs ${diskOf(options)} GB, so the disk gets as many.`);
  if (options.architecture === "arm64" && hasAgent(options))
    warn("agent", "The image of your agent must be one for ARM (linux/arm64).");
  if (provider === "ovh" && regionOf(options).startsWith("US-"))
    warn(
      "region",
      "Regions in the United States need an account at OVHcloud US, which is another company.",
    );
  if (options.addresses === "ipv6")
    warn(
      "addresses",
      "People whose network has no IPv6 cannot join. The machine must reach Docker Hub, the certificate authority and your storage over IPv6.",
    );
  return warnings;
}

/** What is known only once the files are made: that they may be too large for the provider. */
export function userDataWarnings({ fits, bytes, limit }: UserData): Problem[] {
  if (fits) return [];
  const message = `cloud-init.yaml has ${bytes} bytes, and this provider takes ${limit}: even compressed it may not fit. create-vm.sh finds out before it creates anything. Leave out options, or copy the files to the machine yourself.`;
  return [{ path: "provider", message }];
}
