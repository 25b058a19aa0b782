import type { BundleFile, Connection } from "../bundle-types.ts";
import {
  acceptsIngress,
  clusterOf,
  edgeName,
  excludedRanges,
  hasFamily,
  hasInsights,
  redisAddressOf,
  sendsSessions,
  severalOf,
  turnOf,
  whipDomainOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { type YamlMap, yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";

/** The key that signs webhooks. It is not the API key, so receivers need no change when that is rotated. */
export const webhookKey = "webhooks";

/** The configuration of LiveKit, which does not start when its version does not know a key. */
export function livekit(options: DeploymentOptions, connection?: Connection): BundleFile[] {
  const turn = turnOf(options);
  const whip = whipDomainOf(options);
  const rtmp = acceptsIngress(options, "rtmp");
  const excluded = excludedRanges(options);
  const content = yamlDocument(
    {
      port: port.livekit,
      // In a cluster the container adds the private address, which only the machine knows.
      bind_addresses: clusterOf(options) ? undefined : ["127.0.0.1"],
      rtc: {
        tcp_port: port.rtcTcp,
        ...(options.mediaUdp === "single"
          ? { udp_port: port.rtcSingle }
          : { port_range_start: port.rtcFirst, port_range_end: port.rtcLast }),
        // Only IPv4 addresses are translated on the way. A machine with IPv6 alone gets its address from before-start.sh.
        use_external_ip: hasFamily(options, "ipv4"),
        // Docker's bridge, which no client reaches.
        interfaces: { excludes: ["docker0"] },
        ips: excluded.length > 0 ? { excludes: excluded } : undefined,
      },
      redis: redisBlock(options),
      // Of two machines drawn, the one with less load. Without load all rooms of a second would go to one: figures are 2 s old.
      node_selector: severalOf(options)
        ? { kind: "cpuload", sort_by: "cpuload", algorithm: "twochoice" }
        : undefined,
      // After so long without an answer a machine knows that the one of a room is gone, and lets its clients begin again: by
      // default callers are back after up to 12 seconds. A Redis that is away for less than this cuts nobody.
      signal_relay: severalOf(options) ? { retry_timeout: "3s" } : undefined,
      turn: {
        enabled: true,
        domain: turn.domain,
        tls_port: turn.tls ? port.turnTls : undefined,
        external_tls: turn.tls ? true : undefined,
        udp_port: turn.udp ? turn.udpPort : undefined,
        // By default LiveKit's TURN server listens on IPv4 only.
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
      webhook: webhookBlock(options, connection),
      // Then every agent records that does not refuse. It is not in LiveKit's sample of a configuration.
      agents: hasInsights(options) ? { enable_user_data_recording: true } : undefined,
      // By bind_addresses on this machine only. What a connected machine reports of LiveKit comes from here.
      prometheus: { port: port.livekitMetrics },
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

/** Without an address of the customer's own the events are signed with the API key, which compose-services.ts names. */
function webhookBlock(options: DeploymentOptions, connection?: Connection): YamlMap | undefined {
  const spool = sendsSessions(options, connection)
    ? [`http://${clusterOf(options) ? edgeName : "127.0.0.1"}:${port.sessionEvents}/events`]
    : [];
  const urls = [...options.webhooks, ...spool];
  if (urls.length === 0) return;
  return { api_key: options.webhooks.length > 0 ? webhookKey : undefined, urls };
}

/** These values as a block; undefined where all of them are LiveKit's defaults. */
function different(values: YamlMap): YamlMap | undefined {
  return Object.values(values).some((value) => value !== undefined) ? values : undefined;
}

/** The defaults of rooms. `video/rtx` belongs to each list of video codecs: without it lost packets are not sent again. */
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

/** The load from which on LiveKit accepts no more rooms and participants. */
function limitBlock({ limits }: DeploymentOptions): YamlMap | undefined {
  return different({
    num_tracks: limits.tracks || undefined,
    bytes_per_sec: limits.bytesPerSecond || undefined,
  });
}

/** The certificates of a Redis elsewhere whose authority is the customer's own. */
const redisAuthority = { path: "redis-ca.pem", inside: "/etc/redis-ca.pem" } as const;

/** The file of that authority in the containers that reach Redis. */
export function redisAuthorityMount({ redis }: DeploymentOptions): Record<string, string> {
  const has = redis.kind !== "bundled" && redis.tls && redis.ca.length > 0;
  return has ? { [redisAuthority.inside]: redisAuthority.path } : {};
}

/** The block about Redis, which is the same for LiveKit, Egress, Ingress and SIP. The password is not in it. */
export function redisBlock(options: DeploymentOptions): YamlMap {
  const { redis } = options;
  if (redis.kind === "bundled") return { address: redisAddressOf(options) };
  const [authority] = Object.keys(redisAuthorityMount(options));
  return {
    address: redis.kind === "external" ? redis.address : undefined,
    sentinel_master_name: redis.kind === "sentinel" ? redis.master : undefined,
    sentinel_addresses: redis.kind === "sentinel" ? redis.addresses : undefined,
    cluster_addresses: redis.kind === "cluster" ? redis.addresses : undefined,
    username: redis.username,
    tls: redis.tls ? { enabled: true, ca_cert_file: authority } : undefined,
  };
}
