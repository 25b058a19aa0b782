import type { Port } from "./bundle-types.ts";
import {
  acceptsIngress,
  anywhere,
  balancedOf,
  getsCertificates,
  hasAgent,
  hasEgress,
  hasFamily,
  hasIngress,
  hasInsights,
  hasMetrics,
  hasSip,
  roleOf,
  severalOf,
  sipSourcesOf,
  sshSourcesOf,
  turnOf,
} from "./options/derived-options.ts";
import type { DeploymentOptions } from "./options/options.ts";

/** Port numbers that several files must agree on. The public ones are LiveKit's defaults. */
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
  sessionEvents: 7990,
  insights: 7991,
  livekitFront: 7992,
  callEvidence: 7993,
  prometheus: 9095,
  nodeExporter: 9100,
  sip: 5060,
  sipMediaFirst: 10_000,
  sipMediaLast: 20_000,
  sipHealth: 9096,
  sipMetrics: 9097,
  agentHealth: 8081,
  proxiedHttps: 8443,
  proxiedHttp: 8081,
  balancerCheck: 7994,
} as const;

/** The ports for media of SIP calls, written as a range as in its configuration and in firewalls. */
export const sipMedia = `${port.sipMediaFirst}-${port.sipMediaLast}`;

/** The one list of ports. The configuration, both firewalls and the README are made from it. */
export function portsOf(options: DeploymentOptions): Port[] {
  const several = severalOf(options);
  const ports = portsOfOneServer(options);
  if (!several) return ports;
  // What the machines of a cluster reach one another at is on loopback where there is one.
  const reached = new Set(
    (balancedOf(options)
      ? [port.balancerCheck]
      : [port.livekit, port.turnTls, port.redis, port.sessionEvents]
    ).map((number) => `${number}`),
  );
  return ports.map((each) => ({
    ...each,
    ...(["ssh", "custom"].includes(each.audience) ? {} : { role: roleOf(options, each.service) }),
    ...(each.audience === "internal" && reached.has(each.ports)
      ? { audience: "private" as const, sources: [several.network] }
      : {}),
  }));
}

function portsOfOneServer(options: DeploymentOptions): Port[] {
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
    // A rule of before that opens it stays allowed: it is on loopback alone.
    ...(options.sessions === "off"
      ? []
      : [
          closed(port.sessionEvents, "caddy", "Session events, if it is connected"),
          ...(turnOf(options).tls
            ? [closed(port.callEvidence, "caddy", "What apps say of calls, if it is connected")]
            : []),
        ]),
  ];
}

function publicPorts(options: DeploymentOptions): Port[] {
  const turn = turnOf(options);
  const open = (
    ports: number | string,
    protocol: "tcp" | "udp",
    service: string,
    purpose: string,
    sources: readonly string[] = anywhere,
  ): Port => ({
    ports: String(ports),
    protocol,
    audience: "public",
    sources: sourcesFor(options, sources),
    service,
    purpose,
  });
  return [
    open(port.https, "tcp", "caddy", turn.tls ? "HTTPS and TURN/TLS" : "HTTPS"),
    ...(getsCertificates(options) ? [open(port.http, "tcp", "caddy", "Certificate issuance")] : []),
    open(port.rtcTcp, "tcp", "livekit", "WebRTC over TCP"),
    ...(turn.udp ? [open(turn.udpPort, "udp", "livekit", "TURN/UDP")] : []),
    open(
      options.mediaUdp === "single" ? port.rtcSingle : `${port.rtcFirst}-${port.rtcLast}`,
      "udp",
      "livekit",
      "WebRTC over UDP",
    ),
    ...(acceptsIngress(options, "rtmp") ? [open(port.rtmp, "tcp", "ingress", "RTMP Ingress")] : []),
    ...(acceptsIngress(options, "webrtc")
      ? [open(port.whipRtc, "udp", "ingress", "WHIP Ingress")]
      : []),
    ...(hasSip(options)
      ? [
          open(port.sip, "udp", "sip", "SIP over UDP", sipSourcesOf(options)),
          open(port.sip, "tcp", "sip", "SIP over TCP", sipSourcesOf(options)),
          open(sipMedia, "udp", "sip", "Media of SIP calls", sipSourcesOf(options)),
        ]
      : []),
  ];
}

function closed(number: number, service: string, purpose: string): Port {
  return {
    ports: String(number),
    protocol: "tcp",
    audience: "internal",
    sources: [],
    service,
    purpose,
  };
}

/** Ports that the services use among themselves on the host's network. They are open to nobody else. */
export function internalPorts(options: DeploymentOptions): Port[] {
  const metrics = hasMetrics(options);
  return [
    closed(port.livekit, "livekit", "LiveKit, behind Caddy"),
    closed(port.livekitMetrics, "livekit", "LiveKit metrics"),
    ...(turnOf(options).tls ? [closed(port.turnTls, "livekit", "TURN, behind Caddy")] : []),
    ...(options.redis.kind === "bundled" ? [closed(port.redis, "redis", "Redis")] : []),
    ...(hasEgress(options)
      ? [
          closed(port.egressTemplates, "egress", "Egress page templates"),
          closed(port.egressHealth, "egress", "Egress health"),
          ...(metrics ? [closed(port.egressMetrics, "egress", "Egress metrics")] : []),
        ]
      : []),
    ...(acceptsIngress(options, "webrtc")
      ? [closed(port.whip, "ingress", "WHIP, behind Caddy")]
      : []),
    ...(hasIngress(options)
      ? [
          closed(port.ingressRelay, "ingress", "Ingress relay"),
          closed(port.ingressHealth, "ingress", "Ingress health"),
          ...(metrics ? [closed(port.ingressMetrics, "ingress", "Ingress metrics")] : []),
        ]
      : []),
    ...(hasSip(options)
      ? [
          closed(port.sipHealth, "sip", "SIP health"),
          ...(metrics ? [closed(port.sipMetrics, "sip", "SIP metrics")] : []),
        ]
      : []),
    ...(hasAgent(options) && options.proxy === "none"
      ? [closed(port.agentHealth, "agent", "Agent health")]
      : []),
    ...(metrics
      ? [
          closed(port.prometheus, "prometheus", "Prometheus"),
          closed(port.nodeExporter, "node-exporter", "Machine metrics"),
        ]
      : []),
    ...(hasInsights(options)
      ? [
          closed(port.livekitFront, "caddy", "LiveKit and agent insights, by path"),
          closed(port.insights, "insights", "Agent insights, behind Caddy"),
        ]
      : []),
    ...(balancedOf(options)
      ? [closed(port.balancerCheck, "caddy", "The balancer's look at this machine")]
      : []),
    ...(options.proxy === "existing"
      ? [
          closed(port.proxiedHttps, "caddy", "Caddy, behind your proxy"),
          ...(getsCertificates(options)
            ? [closed(port.proxiedHttp, "caddy", "Certificates, behind your proxy")]
            : []),
        ]
      : []),
  ];
}

/** The ranges of those address families that the machine has. Rules of the other family would do nothing. */
function sourcesFor(options: DeploymentOptions, sources: readonly string[]): string[] {
  return sources.filter((source) => hasFamily(options, source.includes(":") ? "ipv6" : "ipv4"));
}
