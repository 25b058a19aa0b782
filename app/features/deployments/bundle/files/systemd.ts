import type { BundleFile } from "../bundle-types.ts";
import {
  clusterOf,
  hasAgent,
  hasInsights,
  savingMinutes,
  severalOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { weekdays } from "../options/table/management.ts";
import { port } from "../ports.ts";
import { systemdValue } from "../quoting.ts";

/**
 * When the timers start their jobs, in UTC, which is the machine's time. The update is in the hour of maintenance, the
 * backup and its monthly trial in the hour before, the reboot two hours after. These hours may be on the day before or after.
 */
export function calendarsOf({ maintenance }: DeploymentOptions) {
  const at = (hours: number, minutes: number) => {
    const hour = maintenance.hour + hours;
    const day =
      weekdays.findIndex(({ value }) => value === maintenance.day) + Math.floor(hour / 24);
    const time = `${String((hour + 24) % 24).padStart(2, "0")}:${String(minutes).padStart(2, "0")}:00`;
    return { day: "SunMonTueWedThuFriSat".substr(((day + 7) % 7) * 3, 3), time };
  };
  const update = at(0, 30);
  const backup = at(-1, 0);
  const reboot = at(2, 0);
  const test = at(-1, 30);
  return {
    update: {
      weekly: `${update.day} *-*-* ${update.time}`,
      monthly: `${update.day} *-*-01..07 ${update.time}`,
    },
    backup: {
      daily: `*-*-* ${backup.time}`,
      weekly: `${backup.day} *-*-* ${backup.time}`,
      monthly: `*-*-01 ${backup.time}`,
    },
    backupTest: `*-*-15 ${test.time}`,
    reboot: `${reboot.day} *-*-* ${reboot.time}`,
  };
}

/**
 * The rights of a unit that only runs our scripts: it may not change the system itself. With an agent worker it may read
 * root's home, where `docker login` stores the credentials of a private registry; systemd does not set HOME.
 */
export const confined = (options: DeploymentOptions) => `NoNewPrivileges=yes
PrivateTmp=yes
${hasAgent(options) ? "ProtectHome=read-only\nEnvironment=HOME=/root" : "ProtectHome=yes"}
ProtectSystem=full
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
LockPersonality=yes
`;

/** Minutes to wait for a quiet moment and to save recordings, and a few more for calls, streams and an agent's jobs. */
function stoppingMinutes(options: DeploymentOptions): number {
  return options.drain.minutes + savingMinutes(options) + (hasAgent(options) ? 7 : 5);
}

/**
 * The units and timers. Before LiveKit stops, before-stop.sh waits for a quiet moment; the timeouts of the units allow for
 * that. A reload fetches missing images and checks the files while everything still runs. A restart of Docker or of the
 * firewall does not stop LiveKit.
 */
export function systemd(options: DeploymentOptions): BundleFile[] {
  const { updates, backups, security } = options;
  const calendars = calendarsOf(options);
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
    ...job(options, "health", "Looks whether everything works", "*:0/5", "5min", false),
    ...reportJob(options),
    ...(hasInsights(options) ? insightsJob() : []),
    ...(clusterOf(options) ? [clusterUnit(options)] : []),
    // Several machines must not drain in the same hour: cluster.sh updates one after the other.
    ...(updates === "manual" || inCluster
      ? []
      : job(
          options,
          "update",
          "Updates LiveKit",
          calendars.update[updates],
          `${2 * stopping + 110}min`,
          false,
        )),
    ...(backups.frequency === "none"
      ? []
      : job(
          options,
          "backup",
          "Backs up LiveKit",
          calendars.backup[backups.frequency],
          "1h",
          true,
        )),
    ...(backups.frequency === "none" && backups.target.kind === "machine"
      ? []
      : job(options, "backup-test", "Tries a restore", calendars.backupTest, "1h", true)),
    // The machines of a cluster must not reboot at the same hour: cluster.sh and a person do one after the other.
    ...(security === "enterprise" && !inCluster ? rebootJob(calendars.reboot) : []),
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

/**
 * Each machine reports at a second of the minute of its own, so that a thousand do not at the same one. The timer
 * brings up a second unit, which is stopped before the network is. It then reports that the machine goes, and again each
 * minute while LiveKit waits for its calls. Neither does
 * anything on a machine that is not connected. Where a machine reaches the internet through a proxy, /etc/environment
 * names it. A console that is away makes no failed unit of a report.
 */
function reportJob(options: DeploymentOptions): BundleFile[] {
  const title = "Reports to the console, if connected";
  const units = [
    unit(
      "livekit-report.service",
      `${title}.`,
      `[Unit]
Description=${title}

[Service]
Type=oneshot
EnvironmentFile=-/etc/environment
ExecStart=/opt/livekit/bin/console.sh report
SuccessExitStatus=1
TimeoutStartSec=2min
${confined(options)}`,
    ),
    unit(
      "livekit-going.service",
      "Tells the console that the machine shuts down, if connected.",
      `[Unit]
Description=Tells the console when the machine shuts down, if connected
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
RemainAfterExit=yes
EnvironmentFile=-/etc/environment
ExecStop=-/opt/livekit/bin/console.sh going
TimeoutStopSec=${stoppingMinutes(options)}min
${confined(options)}`,
    ),
    unit(
      "livekit-report.timer",
      `${title}: when.`,
      `[Unit]
Description=${title}: when
Wants=livekit-going.service

[Timer]
OnCalendar=*:*:00
AccuracySec=1s
RandomizedDelaySec=45
FixedRandomDelay=yes

[Install]
WantedBy=timers.target
`,
    ),
  ];
  return [...units, rolloutUnit(options)].map((each) => ({ ...each, withToken: true }));
}

/** It exchanges units and scripts, so it is not confined, and runs copies. A report starts it. */
function rolloutUnit(options: DeploymentOptions): BundleFile {
  return unit(
    "livekit-rollout.service",
    "Takes up a version that people approved with their passkeys.",
    `[Unit]
Description=Takes up a version that people approved with their passkeys
After=livekit.service

[Service]
Type=oneshot
EnvironmentFile=-/etc/environment
ExecStart=/bin/sh /opt/livekit/state/rollout/run/rollout.sh
SuccessExitStatus=1
TimeoutStartSec=${2 * stoppingMinutes(options) + 110}min
`,
  );
}

/**
 * The receiver of agent insights. Strangers' bytes reach it, so it has a user of its own, a folder of its own, and
 * nothing else. It ends when what it was started from changed, and its timer starts it again.
 */
function insightsJob(): BundleFile[] {
  const title = "Takes what agents record of their sessions";
  return [
    unit(
      "livekit-insights.service",
      `${title}.`,
      `[Unit]
Description=${title}
ConditionPathExists=/opt/livekit/bin/insights.py

[Service]
EnvironmentFile=/opt/livekit/deployment.env
LoadCredential=secrets:/opt/livekit/secrets.env
ExecStart=/usr/bin/python3 /opt/livekit/bin/insights.py serve /var/lib/livekit-insights ${port.insights} \${INSIGHTS_DAYS} \${INSIGHTS_GIGABYTES}
DynamicUser=yes
StateDirectory=livekit-insights
StateDirectoryMode=0700
UMask=0077
MemoryMax=512M
CPUWeight=20
IPAddressAllow=127.0.0.0/8
IPAddressDeny=any
CapabilityBoundingSet=
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallFilter=@system-service
`,
    ),
    unit(
      "livekit-insights.timer",
      `${title}: when.`,
      `[Unit]
Description=${title}: when

[Timer]
OnActiveSec=5
OnUnitInactiveSec=5
AccuracySec=1s

[Install]
WantedBy=timers.target
`,
    ),
  ].map((each) => ({ ...each, withToken: true }));
}

/** A script that a timer starts. With `persistent` a run that was missed is made up for at boot. */
function job(
  options: DeploymentOptions,
  name: "health" | "update" | "backup" | "backup-test",
  title: string,
  calendar: string,
  timeout: string,
  persistent: boolean,
): BundleFile[] {
  return [
    unit(
      `livekit-${name}.service`,
      `${title}.`,
      `[Unit]
Description=${title}
After=livekit.service

[Service]
Type=oneshot
ExecStart=/opt/livekit/bin/${name}.sh
TimeoutStartSec=${timeout}
${confined(options)}`,
    ),
    unit(`livekit-${name}.timer`, `${title}: when.`, timer(title, calendar, persistent)),
  ];
}

function timer(title: string, calendar: string, persistent: boolean): string {
  return `[Unit]
Description=${title}: when

[Timer]
OnCalendar=${calendar}
${calendar.includes("/") ? "" : "RandomizedDelaySec=20min\n"}${persistent ? "Persistent=yes\n" : ""}
[Install]
WantedBy=timers.target
`;
}

/** A new kernel needs a reboot. Once a week the machine reboots, if an update waits for it. */
function rebootJob(calendar: string): BundleFile[] {
  return [
    unit(
      "livekit-reboot.service",
      "Reboots when a system update waits for it.",
      `[Unit]
Description=Reboots when a system update waits for it
After=livekit-update.service livekit-backup.service

[Service]
Type=oneshot
ExecStart=/bin/sh -c 'if [ -e /run/reboot-required ] || { command -v needs-restarting >/dev/null && ! needs-restarting -r >/dev/null; }; then systemctl --no-block reboot; fi'
`,
    ),
    unit(
      "livekit-reboot.timer",
      "The weekly hour for such a reboot.",
      timer("Reboots when needed", calendar, false),
    ),
  ];
}

export function unit(path: string, purpose: string, content: string): BundleFile {
  return {
    path,
    content,
    language: "ini",
    purpose,
    installed: { path: `/etc/systemd/system/${path}`, mode: "0644", owner: "root:root" },
  };
}
