import type { Program } from "../../app/features/deployments/bundle/releases.ts";

/** Where a program's releases and advisories are published. A release is listed once Docker Hub has its image. */
export type Publisher = {
  /** Its repository at GitHub, as `owner/name`. */
  github: string;
  /** Its module of Go, where the proxy has it and its versions are those of the releases. */
  goModule?: string;
  /** The `major.minor` that we stay with; a later one is noted as the newest upstream. */
  minor?: string;
  /** The tag of our image for a version such as `1.13.11`. */
  tagOf: (version: string) => string;
};

const withV = (version: string) => `v${version}`;

export const publishers: Readonly<Record<Program, Publisher>> = {
  livekit: {
    github: "livekit/livekit",
    goModule: "github.com/livekit/livekit-server",
    tagOf: withV,
  },
  egress: { github: "livekit/egress", tagOf: withV },
  ingress: { github: "livekit/ingress", tagOf: withV },
  sip: { github: "livekit/sip", tagOf: withV },
  caddy: {
    github: "caddyserver/caddy",
    goModule: "github.com/caddyserver/caddy/v2",
    tagOf: withV,
  },
  redis: { github: "redis/redis", minor: "7.4", tagOf: (version) => `${version}-alpine` },
  // Its module counts in another way: v0.305.5 is 3.5.5.
  prometheus: { github: "prometheus/prometheus", minor: "3.5", tagOf: withV },
  "node-exporter": {
    github: "prometheus/node_exporter",
    goModule: "github.com/prometheus/node_exporter",
    tagOf: withV,
  },
  rclone: {
    github: "rclone/rclone",
    goModule: "github.com/rclone/rclone",
    tagOf: (version) => version,
  },
  lego: { github: "go-acme/lego", goModule: "github.com/go-acme/lego/v5", tagOf: withV },
};
