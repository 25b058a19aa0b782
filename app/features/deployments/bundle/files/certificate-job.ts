import type { BundleFile } from "../bundle-types.ts";
import { certificateDnsOf } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { confined, unit } from "./systemd/unit.ts";

/**
 * Asks twice a day whether the certificate is due for renewal, and a minute after each boot. Without the credentials of the
 * DNS provider there is nothing to try, which the doctor says.
 */
export function certificateJob(options: DeploymentOptions): BundleFile[] {
  const byDns = certificateDnsOf(options);
  if (!byDns) return [];
  const title = "Renews the certificate";
  return [
    unit(
      "livekit-certificate.service",
      `${title} by the DNS provider.`,
      `[Unit]
Description=${title}
Wants=network-online.target
After=network-online.target docker.service
${byDns.credentials.length > 0 ? "ConditionPathExists=/opt/livekit/dns.env\n" : ""}
[Service]
Type=oneshot
ExecStart=/opt/livekit/bin/certificate.sh
SuccessExitStatus=75
TimeoutStartSec=20min
${confined(options)}`,
    ),
    unit(
      "livekit-certificate.timer",
      `${title}: when.`,
      `[Unit]
Description=${title}: when

[Timer]
OnActiveSec=1min
OnCalendar=*-*-* 05,17:00:00
RandomizedDelaySec=20min
Persistent=yes

[Install]
WantedBy=timers.target
`,
    ),
  ];
}
