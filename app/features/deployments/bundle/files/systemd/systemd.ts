import type { BundleFile } from "../../bundle-types.ts";
import { clusterOf, hasAgent, severalOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { systemdValue } from "../../quoting.ts";
import { connectedUnits } from "./connected-units.ts";
import { jobs } from "./jobs.ts";
import { confined, stoppingMinutes, unit } from "./unit.ts";

/**
 * The units and timers. Before LiveKit stops, before-stop.sh waits for a quiet moment; the timeouts of the units allow for
 * that. A reload fetches missing images and checks the files while everything still runs. A restart of Docker or of the
 * firewall does not stop LiveKit.
 */
export function systemd(options: DeploymentOptions): BundleFile[] {
  const stopping = stoppingMinutes(options);
  // The agent worker starts after the others, so that LiveKit starts even when the agent's image cannot be fetched.
  const agent = hasAgent(options);
  const compose = "/usr/bin/docker compose";
  const withOthers = (command: string) =>
    agent
      ? `/bin/sh -c 'exec docker compose ${command} $(docker compose config --services | grep -vx agent)'`
      : `${compose} ${command}`;
  const up = (how: string) => withOthers(`up -d --remove-orphans --wait --wait-timeout 900${how}`);
  const then = (line: string) => (agent ? `${line}=-${compose} up -d --no-deps agent\n` : "");
  // Oracle's images have a firewall of their own, for IPv4 and IPv6, that refuses everything but SSH. Ours cannot accept
  // what another table refuses.
  const oracle = options.provider === "oracle";
  const inCluster = severalOf(options) !== undefined;
  const loadRules = `/usr/sbin/nft -f /etc/livekit/firewall${inCluster ? `-\${COMPOSE_PROFILES}` : ""}.nft`;
  return [
    unit(
      "livekit.service",
      "The services, from boot to shutdown.",
      `[Unit]
Description=LiveKit at ${systemdValue(options.domain)}
Wants=docker.service livekit-firewall.service network-online.target
After=docker.service livekit-firewall.service network-online.target
${inCluster ? "ConditionPathExists=/opt/livekit/.env\n" : ""}
[Service]
Type=oneshot
RemainAfterExit=yes
WorkingDirectory=/opt/livekit
ExecStartPre=/opt/livekit/bin/before-start.sh
ExecStart=${up("")}
${inCluster ? "ExecStartPost=-/opt/livekit/bin/cluster-machine.sh renew\n" : ""}${then("ExecStartPost")}ExecReload=/opt/livekit/bin/before-start.sh
ExecReload=${withOthers("pull -q --policy missing")}
ExecReload=/opt/livekit/bin/check.sh
ExecReload=/opt/livekit/bin/before-stop.sh
ExecReload=${up(" --force-recreate")}
${then("ExecReload")}ExecStop=-/opt/livekit/bin/before-stop.sh
ExecStop=/usr/bin/docker compose stop
Restart=on-failure
RestartSec=60
TimeoutStartSec=${stopping + 55}min
TimeoutStopSec=${stopping}min
${confined(options)}
[Install]
WantedBy=multi-user.target
`,
    ),
    unit(
      "livekit-firewall.service",
      "The firewall, before the network is up.",
      `[Unit]
Description=Firewall of LiveKit
DefaultDependencies=no
After=local-fs.target${oracle ? " netfilter-persistent.service" : ""}
Before=network-pre.target shutdown.target
Wants=network-pre.target
Conflicts=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
${inCluster ? roleOfFirewall : ""}ExecStart=${loadRules}
${oracle ? withoutOraclesRules : ""}ExecReload=${loadRules}

[Install]
WantedBy=sysinit.target
`,
    ),
    ...jobs(options),
    ...connectedUnits(options),
    ...(clusterOf(options) ? [clusterUnit(options)] : []),
  ];
}

/** Compose's name for the role of a machine of a cluster, in .env. Before there is one, nobody reaches more than the media's ports. */
const roleOfFirewall = `Environment=COMPOSE_PROFILES=media
EnvironmentFile=-/opt/livekit/.env
`;

/** On machines for calls: they start it when they join. */
function clusterUnit(options: DeploymentOptions): BundleFile {
  return unit(
    "livekit-cluster.service",
    "Starts LiveKit anew when the Redis of the cluster has lost its data.",
    `[Unit]
Description=Starts LiveKit anew when the Redis of the cluster has lost its data
After=docker.service livekit.service

[Service]
ExecStart=/usr/bin/python3 /opt/livekit/bin/cluster.py watch
Restart=always
RestartSec=5
MemoryMax=128M
CPUWeight=20
${confined(options)}
[Install]
WantedBy=multi-user.target
`,
  );
}

/** A rule is deleted by the words with which it is listed: they name the kind of refusal, and images differ in it. */
const withoutOraclesRules = ["iptables", "ip6tables"]
  .map(
    (command) =>
      `ExecStart=-/bin/sh -c '${command} -S INPUT | sed -n "s/^-A INPUT -j REJECT/-D INPUT -j REJECT/p" | xargs -r -L 1 ${command}'\n`,
  )
  .concat("ExecStart=-/bin/sh -c 'sed -i \"/^-A INPUT -j REJECT/d\" /etc/iptables/rules.v[46]'\n")
  .join("");
