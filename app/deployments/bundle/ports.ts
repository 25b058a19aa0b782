import type { Port } from "./bundle-types.ts";
import {
  anywhere,
  hasEgress,
  hasFamily,
  hasIngress,
  hasMetrics,
  sshSourcesOf,
  takesIn,
  turnOf,
} from "./derived-options.ts";
import type { DeploymentOptions } from "./options.ts";

/** The numbers that several files must agree on. Public ones are LiveKit's own defaults. */
export const port = {
  https: 443,
  http: 80,
  ssh: 22,
  livekit: 7880,
  rtcTcp: 7881,
  rtcFirst: 50_000,
  rtcLast: 60_000,
  rtcSingle: 7882,
  turnTls: 5349,
  redis: 6379,
  rtmp: 1935,
  whip: 8080,
  whipRtc: 7885,
  ingressRelay: 9090,
  egressTemplates: 7980,
  egressHealth: 9091,
  ingressHealth: 9092,
  egressMetrics: 9093,
  ingressMetrics: 9094,
  livekitMetrics: 6789,
  prometheus: 9095,
  nodeExporter: 9100,
  proxiedHttps: 8443,
  proxiedHttp: 8081,
} as const;

/** The one list of ports: configuration, firewalls, provider rules and README all read it. */
export function portsOf(options: DeploymentOptions): Port[] {
  const { firewall } = options;
  const rules = firewall.preset === "custom" ? firewall.rules : [];
  return [
    ...publicPorts(options),
    {
      ports: String(port.ssh),
      protocol: "tcp",
      audience: "ssh",
      sources: sourcesFor(options, sshSourcesOf(options)),
      service: "ssh",
      purpose: "SSH for you",
    },
    ...rules.map(({ protocol, ports, source }) => ({
      ports,
      protocol,
      audience: "custom" as const,
      sources: [source],
      service: "custom",
      purpose: "A rule of yours",
    })),
    ...internalPorts(options),
  ];
}

function publicPorts(options: DeploymentOptions): Port[] {
  const turn = turnOf(options);
  const open = (
    ports: number | string,
    protocol: "tcp" | "udp",
    service: string,
    purpose: string,
  ): Port => ({
    ports: String(ports),
    protocol,
    audience: "public",
    sources: sourcesFor(options, anywhere),
    service,
    purpose,
  });
  return [
    open(port.https, "tcp", "caddy", turn.tls ? "HTTPS and TURN/TLS" : "HTTPS"),
    open(port.http, "tcp", "caddy", "Certificate issuance"),
    open(port.rtcTcp, "tcp", "livekit", "WebRTC over TCP"),
    ...(turn.udp ? [open(turn.udpPort, "udp", "livekit", "TURN/UDP")] : []),
    open(
      options.mediaUdp === "single" ? port.rtcSingle : `${port.rtcFirst}-${port.rtcLast}`,
      "udp",
      "livekit",
      "WebRTC over UDP",
    ),
    ...(takesIn(options, "rtmp") ? [open(port.rtmp, "tcp", "ingress", "RTMP Ingress")] : []),
    ...(takesIn(options, "webrtc") ? [open(port.whipRtc, "udp", "ingress", "WHIP Ingress")] : []),
  ];
}

/** What the services use among themselves on the host's network. Never open to anybody else. */
export function internalPorts(options: DeploymentOptions): Port[] {
  const closed = (number: number, service: string, purpose: string): Port => ({
    ports: String(number),
    protocol: "tcp",
    audience: "internal",
    sources: [],
    service,
    purpose,
  });
  const metrics = hasMetrics(options);
  return [
    closed(port.livekit, "livekit", "LiveKit, behind Caddy"),
    ...(turnOf(options).tls ? [closed(port.turnTls, "livekit", "TURN, behind Caddy")] : []),
    ...(options.redis.kind === "bundled" ? [closed(port.redis, "redis", "Redis")] : []),
    ...(hasEgress(options)
      ? [
          closed(port.egressTemplates, "egress", "Egress page templates"),
          closed(port.egressHealth, "egress", "Egress health"),
          ...(metrics ? [closed(port.egressMetrics, "egress", "Egress metrics")] : []),
        ]
      : []),
    ...(takesIn(options, "webrtc") ? [closed(port.whip, "ingress", "WHIP, behind Caddy")] : []),
    ...(hasIngress(options)
      ? [
          closed(port.ingressRelay, "ingress", "Ingress relay"),
          closed(port.ingressHealth, "ingress", "Ingress health"),
          ...(metrics ? [closed(port.ingressMetrics, "ingress", "Ingress metrics")] : []),
        ]
      : []),
    ...(metrics
      ? [
          closed(port.livekitMetrics, "livekit", "LiveKit metrics"),
          closed(port.prometheus, "prometheus", "Prometheus"),
          closed(port.nodeExporter, "node-exporter", "Machine metrics"),
        ]
      : []),
    ...(options.proxy === "existing"
      ? [
          closed(port.proxiedHttps, "caddy", "Caddy, behind your proxy"),
          closed(port.proxiedHttp, "caddy", "Certificates, behind your proxy"),
        ]
      : []),
  ];
}

/** Without addresses of a family the machine has no rule for it. */
function sourcesFor(options: DeploymentOptions, sources: readonly string[]): string[] {
  return sources.filter((source) => hasFamily(options, source.includes(":") ? "ipv6" : "ipv4"));
}
