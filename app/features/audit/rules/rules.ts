import type { Rule } from "../rule.ts";
import { caddyRules } from "./caddy.ts";
import { composeRules } from "./compose.ts";
import { egressRules } from "./egress.ts";
import { helmRules } from "./helm.ts";
import { imageRules } from "./images.ts";
import { keyRules } from "./keys.ts";
import { livekitRules } from "./livekit.ts";
import { networkRules } from "./network.ts";
import { nginxRules } from "./nginx.ts";
import { portRules } from "./ports.ts";
import { proxyRules } from "./proxies.ts";
import { redisRules } from "./redis.ts";
import { serviceRules } from "./services.ts";
import { turnRules } from "./turn.ts";
import { webhookRules } from "./webhooks.ts";

/** Everything that the audit can find. The documentation's list is made from it. */
export const rules: readonly Rule[] = [
  ...keyRules,
  ...networkRules,
  ...portRules,
  ...turnRules,
  ...redisRules,
  ...webhookRules,
  ...livekitRules,
  ...egressRules,
  ...serviceRules,
  ...helmRules,
  ...imageRules,
  ...composeRules,
  ...proxyRules,
  ...caddyRules,
  ...nginxRules,
];
