/** The six features of the home page. `proof` is what a machine reads of it. */
export const features = [
  {
    icon: "clouds",
    name: "Multi-cloud deployment",
    description:
      "One cloud-init file boots a fresh machine on AWS, Azure, Google Cloud, Digital Ocean and others.",
    proof: "cloud-init.yaml",
  },
  {
    icon: "certificate",
    name: "Automatic SSL/TLS",
    description:
      "A reverse proxy gets certificates from a free certificate authority and renews them by itself.",
    proof: "caddy.yaml",
  },
  {
    icon: "containers",
    name: "Docker Compose with TURN/TLS",
    description:
      "LiveKit, Redis and the proxy as one stack. TURN over TLS gets people through strict networks.",
    proof: "docker-compose.yaml",
  },
  {
    icon: "firewall",
    name: "Firewall for WebRTC",
    description:
      "Rules for UDP and TCP open what media needs. What is internal stays closed to the internet.",
    proof: "nftables.conf",
  },
  {
    icon: "flows",
    name: "Ingress and Egress",
    description:
      "Optional: take RTMP and WHIP streams in, record rooms or send them on to other platforms.",
    proof: "ingress.yaml · egress.yaml",
  },
  {
    icon: "updates",
    name: "Systemd and updates",
    description:
      "The stack starts with the machine. Updates are new Docker images, and you choose which and when.",
    proof: "livekit.service",
  },
] as const;

export type FeatureIconName = (typeof features)[number]["icon"];

export const prerequisites = [
  {
    name: "A domain name with DNS management access",
    detail: "You add an A record for the server and one for TURN.",
  },
  {
    name: "VM access on your preferred cloud provider",
    detail: "One machine is enough. It is yours, and so is the bill.",
  },
  {
    name: "A basic understanding of cloud infrastructure",
    detail: "You know how to create a machine and connect to it.",
  },
] as const;

/** Every port that a deployment opens to the internet. */
export const ports = [
  { port: "443", protocol: "TCP", purpose: "Primary HTTPS and TURN/TLS" },
  { port: "80", protocol: "TCP", purpose: "TLS certificate issuance" },
  { port: "7881", protocol: "TCP", purpose: "WebRTC over TCP" },
  { port: "3478", protocol: "UDP", purpose: "TURN/UDP" },
  { port: "50000-60000", protocol: "UDP", purpose: "WebRTC over UDP" },
  { port: "1935", protocol: "TCP", purpose: "RTMP Ingress, optional" },
  { port: "7885", protocol: "UDP", purpose: "WHIP Ingress, optional" },
] as const;

/** What the hero shows: a deployment for an example domain, in the formats the servers read. */
export const heroDeployment = {
  domain: "av.example.com",
  files: [
    "cloud-init.yaml",
    "docker-compose.yaml",
    "caddy.yaml",
    "livekit.yaml",
    "redis.conf",
    "livekit.service",
  ],
  shown: "livekit.yaml",
  lines: [
    ["port", "7880"],
    ["rtc", ""],
    ["  tcp_port", "7881"],
    ["  port_range_start", "50000"],
    ["  port_range_end", "60000"],
    ["  use_external_ip", "true"],
    ["turn", ""],
    ["  enabled", "true"],
    ["  domain", "turn.av.example.com"],
    ["  tls_port", "5349"],
    ["  external_tls", "true"],
  ],
} as const;

/** What the deployments are built for. */
export const claims = [
  {
    figure: "99.99%",
    label: "uptime is the target of several servers; a deployment is one today",
  },
  { figure: "< 100 ms", label: "latency is the target with a server near your users" },
  { figure: "1 VM", label: "is enough to start, and technical support is available" },
] as const;
