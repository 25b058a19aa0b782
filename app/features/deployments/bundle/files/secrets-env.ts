import type { BundleFile, Secrets } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { shellQuoted } from "../quoting.ts";

/**
 * secrets.env, where the customer's browser made the secrets. Otherwise the machine writes this file at its first boot.
 * The password of an external Redis is not in it: the customer types it on the machine.
 */
export function secretsEnv(
  { redis, webhooks }: DeploymentOptions,
  secrets: Secrets | undefined,
): BundleFile[] {
  if (secrets === undefined) return [];
  const lines = [
    ["LIVEKIT_API_KEY", secrets.apiKey],
    ["LIVEKIT_API_SECRET", secrets.apiSecret],
    ...(redis.kind === "bundled" ? [["REDIS_PASSWORD", secrets.redisPassword] as const] : []),
    ...(webhooks.length > 0 ? [["WEBHOOK_SECRET", secrets.webhookSecret] as const] : []),
  ] as const;
  return [
    {
      path: "secrets.env",
      content: lines.map(([name, value]) => `${name}=${shellQuoted(value)}\n`).join(""),
      language: "env",
      purpose: "The secrets that your browser made. Keep this file to yourself.",
      installed: { path: "/opt/livekit/secrets.env", mode: "0600", owner: "root:root" },
    },
  ];
}
