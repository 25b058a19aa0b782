import type { BundleFile } from "../bundle-types.ts";
import { clusterOf } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { inOptLivekit } from "./installed.ts";

function authority({ ca, tls }: { ca: readonly string[]; tls: boolean }): BundleFile[] {
  if (!tls || ca.length === 0) return [];
  return [
    {
      path: "redis-ca.pem",
      content: `${ca.join("\n")}\n`,
      language: "conf",
      purpose: "Your own authority, which vouches for your Redis.",
      installed: inOptLivekit("redis-ca.pem"),
    },
  ];
}

/**
 * The container adds the password when it starts, so the password is stored in secrets.env only.
 * On one server Redis saves snapshots alone. In a cluster a Redis that was killed must not forget a room of the last seconds,
 * which could then begin a second time on another machine: there it writes each change into an append-only file, of which a
 * power cut takes the last second. Where that is missing it begins with the snapshot that a restore has put there.
 * When a snapshot fails, as on a full disk, Redis goes on accepting writes: otherwise no new room could begin. With an
 * append-only file it does not.
 */
export function redis(options: DeploymentOptions): BundleFile[] {
  if (options.redis.kind !== "bundled") return authority(options.redis);
  const inCluster = clusterOf(options) !== undefined;
  const content = `# Redis ${options.versions.redis}. The password comes from secrets.env at every start${inCluster ? ", and the private address from .env" : ""}.
${inCluster ? "" : "bind 127.0.0.1 -::1\n"}protected-mode yes
port ${port.redis}
tcp-keepalive 300
dir /data
dbfilename dump.rdb
${inCluster ? "appendonly yes\nauto-aof-rewrite-min-size 8mb" : "appendonly no"}
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
      purpose: inCluster
        ? "Redis on the edge, for the machines of the cluster, kept on disk."
        : "Redis on this machine only, kept on disk.",
      installed: inOptLivekit("redis.conf"),
    },
  ];
}
