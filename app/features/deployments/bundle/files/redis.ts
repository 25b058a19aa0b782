import type { BundleFile } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { inOptLivekit } from "./installed.ts";

/**
 * The password is added when the container starts, so that it stands in secrets.env only.
 * Snapshots and no append-only file: with one, Redis would ignore a snapshot that was restored. A snapshot that
 * fails, as on a full disk, must not stop Redis from writing: no new room could begin.
 */
export function redis(options: DeploymentOptions): BundleFile[] {
  if (options.redis.kind === "external") return [];
  const content = `# Redis ${options.versions.redis}. The password comes from secrets.env at every start.
bind 127.0.0.1 -::1
protected-mode yes
port ${port.redis}
tcp-keepalive 300
dir /data
dbfilename dump.rdb
appendonly no
save 900 1
save 60 100
maxmemory-policy noeviction
stop-writes-on-bgsave-error no
`;
  return [
    {
      path: "redis.conf",
      content,
      language: "conf",
      purpose: "Redis on this machine only, kept on disk.",
      installed: inOptLivekit("redis.conf"),
    },
  ];
}
