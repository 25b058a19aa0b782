/** Pages of LiveKit's documentation, and public reports, that rules rest on. */
export const docs = {
  deployment: "https://docs.livekit.io/transport/self-hosting/deployment/",
  ports: "https://docs.livekit.io/transport/self-hosting/ports-firewall/",
  local: "https://docs.livekit.io/transport/self-hosting/local/",
  kubernetes: "https://docs.livekit.io/transport/self-hosting/kubernetes/",
  sip: "https://docs.livekit.io/transport/self-hosting/sip-server/",
  vm: "https://docs.livekit.io/deploy/vm/",
  distributed: "https://docs.livekit.io/deploy/distributed",
  egress: "https://docs.livekit.io/home/self-hosting/egress/",
  ingress: "https://docs.livekit.io/home/self-hosting/ingress/",
} as const;

const github = "https://github.com";

/** LiveKit's own commented example of its configuration. */
export const sample = `${github}/livekit/livekit/blob/master/config-sample.yaml`;

/** The file of LiveKit's server in which it refuses, ignores or uses a value. */
export const sourceFile = (path: string): string => `${github}/livekit/livekit/blob/master/${path}`;

export const egressReadme = `${github}/livekit/egress#readme`;

export const issue = (repository: string, number: number): string =>
  `${github}/${repository}/issues/${number}`;

export const pull = (repository: string, number: number): string =>
  `${github}/${repository}/pull/${number}`;
