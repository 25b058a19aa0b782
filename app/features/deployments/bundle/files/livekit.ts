import type { BundleFile } from "../bundle-types.ts";
import {
  acceptsIngress,
  excludedRanges,
  hasFamily,
  hasMetrics,
  redisAddressOf,
  turnOf,
  whipDomainOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { type YamlMap, yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";

/** The key that signs webhooks: one of its own, so that a rotation of the API key leaves receivers alone. */
export const webhookKey = "webhooks";

/** LiveKit reads this strictly: a key that its version does not know stops it. */
export function livekit(options: DeploymentOptions): BundleFile[] {
  const turn = turnOf(options);
  const whip = whipDomainOf(options);
  const rtmp = acceptsIngress(options, "rtmp");
  const excluded = excludedRanges(options);
  const content = yamlDocument(
    {
      port: port.livekit,
      bind_addresses: ["127.0.0.1"],
      rtc: {
        tcp_port: port.rtcTcp,
        ...(options.mediaUdp === "single"
          ? { udp_port: port.rtcSingle }
          : { port_range_start: port.rtcFirst, port_range_end: port.rtcLast }),
        // Translation of addresses belongs to IPv4: before-start.sh tells a machine with IPv6 only its own.
        use_external_ip: hasFamily(options, "ipv4"),
        // The bridge of Docker: no client reaches it.
        interfaces: { excludes: ["docker0"] },
        ips: excluded.length > 0 ? { excludes: excluded } : undefined,
      },
      redis: redisBlock(options),
      turn: {
        enabled: true,
        domain: turn.domain,
        tls_port: turn.tls ? port.turnTls : undefined,
        external_tls: turn.tls ? true : undefined,
        udp_port: turn.udp ? turn.udpPort : undefined,
        // LiveKit's default is IPv4 alone.
        bind_addresses: hasFamily(options, "ipv4") ? undefined : ["::"],
      },
      room: roomBlock(options),
      limit: limitBlock(options),
      ingress:
        rtmp || whip !== null
          ? {
              rtmp_base_url: rtmp ? `rtmp://${options.domain}:${port.rtmp}/x` : undefined,
              whip_base_url: whip === null ? undefined : `https://${whip}/w`,
            }
          : undefined,
      webhook:
        options.webhooks.length > 0 ? { api_key: webhookKey, urls: options.webhooks } : undefined,
      prometheus: hasMetrics(options) ? { port: port.livekitMetrics } : undefined,
      logging: { json: true, level: "info" },
    },
    `LiveKit ${options.versions.livekit}. Keys and the Redis password come from secrets.env.
The public address is in state/address.env${hasFamily(options, "ipv4") ? "; without it STUN is asked" : ""}.`,
  );
  return [
    {
      path: "livekit.yaml",
      content,
      language: "yaml",
      purpose: "Ports, TURN and Redis of the media server.",
      installed: inOptLivekit("livekit.yaml"),
    },
  ];
}

/** A block of those values that differ from LiveKit's own; undefined where none does. */
function different(values: YamlMap): YamlMap | undefined {
  return Object.values(values).some((value) => value !== undefined) ? values : undefined;
}

/** Without `video/rtx` nothing that was lost is sent again. */
function roomBlock({ rooms }: DeploymentOptions): YamlMap | undefined {
  const audio = ["opus", "red"];
  const codecs = rooms.codecs.map((name) => `${audio.includes(name) ? "audio" : "video"}/${name}`);
  if (codecs.some((mime) => mime.startsWith("video/"))) codecs.push("video/rtx");
  return different({
    auto_create: rooms.createdByJoining ? undefined : false,
    max_participants: rooms.maxParticipants || undefined,
    empty_timeout: rooms.emptyTimeout === 300 ? undefined : rooms.emptyTimeout,
    departure_timeout: rooms.departureTimeout === 20 ? undefined : rooms.departureTimeout,
    enabled_codecs: codecs.length > 0 ? codecs.map((mime) => ({ mime })) : undefined,
  });
}

/** From these on LiveKit takes no further room or participant. */
function limitBlock({ limits }: DeploymentOptions): YamlMap | undefined {
  return different({
    num_tracks: limits.tracks || undefined,
    bytes_per_sec: limits.bytesPerSecond || undefined,
  });
}

/** Redis as LiveKit, Egress and Ingress all spell it, without the password. */
export function redisBlock(options: DeploymentOptions): YamlMap {
  const { redis } = options;
  return {
    address: redisAddressOf(options),
    username: redis.kind === "external" ? redis.username : undefined,
    use_tls: redis.kind === "external" && redis.tls ? true : undefined,
  };
}
