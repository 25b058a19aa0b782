import type { BundleFile } from "../bundle-types.ts";
import {
  acceptsIngress,
  excludedRanges,
  hasFamily,
  hasIngress,
  hasMetrics,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";
import { redisBlock } from "./livekit.ts";

/** The configuration of Ingress. A port of -1 switches RTMP or WHIP off. */
export function ingress(options: DeploymentOptions): BundleFile[] {
  if (!hasIngress(options)) return [];
  const whip = acceptsIngress(options, "webrtc");
  const excluded = excludedRanges(options);
  const content = yamlDocument(
    {
      ws_url: `ws://127.0.0.1:${port.livekit}`,
      rtmp_port: acceptsIngress(options, "rtmp") ? port.rtmp : -1,
      whip_port: whip ? port.whip : -1,
      http_relay_port: port.ingressRelay,
      health_port: port.ingressHealth,
      prometheus_port: hasMetrics(options) ? port.ingressMetrics : undefined,
      rtc_config: whip
        ? {
            udp_port: port.whipRtc,
            // Where the address is known, the container's script replaces this by node_ip: Ingress does not start when STUN fails.
            use_external_ip: hasFamily(options, "ipv4"),
            interfaces: { excludes: ["docker0"] },
            ips: excluded.length > 0 ? { excludes: excluded } : undefined,
          }
        : undefined,
      logging: { json: true, level: "info" },
      redis: redisBlock(options),
    },
    `Ingress ${options.versions.ingress}. Keys and passwords come from secrets.env${whip ? ", the public address from state/address.env" : ""}.
Keep the redis block last: the container adds the password below it.`,
  );
  return [
    {
      path: "ingress.yaml",
      content,
      language: "yaml",
      purpose: "Which streams come in, and on which ports.",
      installed: inOptLivekit("ingress.yaml"),
    },
  ];
}
