import type { BundleFile } from "../../bundle-types.ts";
import { hasInsights } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { port } from "../../ports.ts";
import { confined, stoppingMinutes, unit } from "./unit.ts";

/** The units of a machine that is connected to the console. */
export const connectedUnits = (options: DeploymentOptions): BundleFile[] => [
  ...reportUnits(options),
  ...(hasInsights(options) ? insightsUnits() : []),
];

/**
 * Each machine reports at a second of the minute of its own, so that a thousand do not at the same one. The timer
 * brings up a second unit, which is stopped before the network is. It then reports that the machine goes, and again each
 * minute while LiveKit waits for its calls. Neither does
 * anything on a machine that is not connected. Where a machine reaches the internet through a proxy, /etc/environment
 * names it. A console that is away makes no failed unit of a report.
 */
function reportUnits(options: DeploymentOptions): BundleFile[] {
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
function insightsUnits(): BundleFile[] {
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
