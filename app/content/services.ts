import type { DeploymentField } from "./deployment-fields";

type ServiceWords = {
  kind: string;
  name: string;
  description: string;
  features: readonly string[];
  fields: readonly DeploymentField[];
  /** Something real that the service makes: its name, and what it holds. */
  exhibit: {
    title: string;
    rows: readonly ({ term: string } & ({ codes: readonly string[] } | { words: string }))[];
  };
};

/** The six services in the order of the page. */
export const services = [
  {
    kind: "deployment",
    name: "Multi-Cloud Deployment",
    description: "One cloud-init script boots the same server on the cloud you already pay for.",
    features: [
      "The same answers fit every cloud",
      "Provider commands for firewall, address and VM",
      "Three sizes, from a first room to large events",
      "Container images pinned to a version",
    ],
    fields: ["provider", "region", "instanceType"],
    exhibit: {
      title: "Where it can boot",
      rows: [
        { term: "AWS", codes: ["us-east-1", "us-west-2", "eu-west-1", "ap-southeast-1"] },
        { term: "Azure", codes: ["eastus", "westus2", "westeurope", "southeastasia"] },
        { term: "Digital Ocean", codes: ["nyc3", "sfo3", "ams3", "sgp1"] },
        {
          term: "Google Cloud",
          codes: ["us-east1", "us-west1", "europe-west1", "asia-southeast1"],
        },
      ],
    },
  },
  {
    kind: "security",
    name: "Security Configuration",
    description: "Certificates for your domain arrive by themselves and renew by themselves.",
    features: [
      "TLS from a free certificate authority, through Caddy",
      "HTTPS and TURN/TLS share port 443",
      "Your email names the account at the authority",
      "The DNS records to set, listed for your domain",
    ],
    fields: ["domain", "email"],
    exhibit: {
      title: "caddy.yaml, port 443",
      rows: [
        { term: "livekit.example.com", codes: ["127.0.0.1:7880"] },
        { term: "turn.livekit.example.com", codes: ["127.0.0.1:5349"] },
        { term: "whip.livekit.example.com", codes: ["127.0.0.1:8080"] },
      ],
    },
  },
  {
    kind: "server",
    name: "Production Ready",
    description:
      "TURN and a firewall tuned for WebRTC, so that calls connect from closed networks.",
    features: [
      "A Docker Compose stack under systemd",
      "TURN over UDP, and over TLS for the strictest networks",
      "Firewall rules for UDP and TCP",
      "Health checks and limits on logs",
    ],
    fields: ["turnConfig", "firewallPreset"],
    exhibit: {
      title: "Open to the Internet",
      rows: [
        { term: "443/tcp", words: "HTTPS and TURN/TLS" },
        { term: "80/tcp", words: "certificate issuance" },
        { term: "7881/tcp", words: "WebRTC over TCP" },
        { term: "3478/udp", words: "TURN/UDP" },
        { term: "50000-60000/udp", words: "WebRTC over UDP" },
      ],
    },
  },
  {
    kind: "security-advanced",
    name: "Comprehensive Security",
    description: "What belongs inside stays inside, and you hear about it when something is wrong.",
    features: [
      "Keys and passwords made on your server at first boot",
      "Internal ports closed to the Internet",
      "Redis behind a password",
      "Certificates, disk and containers watched",
    ],
    fields: ["securityLevel", "monitoring"],
    exhibit: {
      title: "Never open to the Internet",
      rows: [
        { term: "7880/tcp", words: "LiveKit, behind Caddy" },
        { term: "5349/tcp", words: "TURN, behind Caddy" },
        { term: "6379/tcp", words: "Redis" },
        { term: "8080/tcp", words: "WHIP, behind Caddy" },
        { term: "2019/tcp", words: "Caddy's admin, switched off" },
      ],
    },
  },
  {
    kind: "features",
    name: "Advanced Features",
    description: "Bring streams in from encoders, take recordings out to where you keep them.",
    features: [
      "RTMP from OBS and hardware encoders",
      "WHIP for WebRTC sources",
      "Recordings to disk, S3 or Google Cloud Storage",
      "Each one optional, each with its own ports",
    ],
    fields: ["ingressType", "recordingStorage"],
    exhibit: {
      title: "In and out",
      rows: [
        { term: "RTMP in", codes: ["1935/tcp"] },
        { term: "WHIP in", codes: ["443/tcp", "7885/udp"] },
        { term: "Recordings out", codes: ["/out", "s3", "gcp"] },
      ],
    },
  },
  {
    kind: "management",
    name: "Easy Management",
    description: "Updates and backups run on a timer, and every update has a way back.",
    features: [
      "systemd starts it at boot and after a failure",
      "Updates by Docker image, rolled back when unhealthy",
      "Backups of Redis and certificates",
      "One command checks DNS, ports and certificate",
    ],
    fields: ["updateSchedule", "backupFrequency"],
    exhibit: {
      title: "On your server",
      rows: [
        { term: "update.sh", words: "new images, or the old ones again" },
        { term: "backup.sh", words: "Redis, certificates" },
        { term: "restore.sh", words: "byte for byte" },
        { term: "doctor.sh", words: "what works, what does not" },
      ],
    },
  },
] as const satisfies readonly ServiceWords[];

export type Service = (typeof services)[number];
