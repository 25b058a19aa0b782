import type { BundleFile } from "../../bundle-types.ts";
import { hasAgent, savingMinutes } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";

export function unit(path: string, purpose: string, content: string): BundleFile {
  return {
    path,
    content,
    language: "ini",
    purpose,
    installed: { path: `/etc/systemd/system/${path}`, mode: "0644", owner: "root:root" },
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
export function stoppingMinutes(options: DeploymentOptions): number {
  return options.drain.minutes + savingMinutes(options) + (hasAgent(options) ? 7 : 5);
}
