import type { BundleFile } from "../bundle-types.ts";
import { hasMetrics, hasSip } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port, sipMedia } from "../ports.ts";
import { yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";
import { redisBlock } from "./livekit.ts";

/** The SIP service ignores keys that it does not know, so a test compares them. Callers that no trunk expects get no answer. */
export function sip(options: DeploymentOptions): BundleFile[] {
  if (!hasSip(options)) return [];
  const content = yamlDocument(
    {
      ws_url: `ws://127.0.0.1:${port.livekit}`,
      sip_port: port.sip,
      rtp_port: sipMedia,
      hide_inbound_port: true,
      health_port: port.sipHealth,
      prometheus_port: hasMetrics(options) ? port.sipMetrics : undefined,
      logging: { json: true, level: "info" },
      redis: redisBlock(options),
    },
    `SIP ${options.versions.sip}. Keys and passwords come from secrets.env, the public address from state/address.env.
Keep the redis block last: the container adds the password below it.`,
  );
  return [
    {
      path: "sip.yaml",
      content,
      language: "yaml",
      purpose: "Telephone calls: ports and who gets an answer.",
      installed: inOptLivekit("sip.yaml"),
    },
  ];
}
