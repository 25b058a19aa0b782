import type { Processor, Program } from "../../app/features/deployments/bundle/releases.ts";

/**
 * Where a program's releases and advisories are published. A release is listed once Docker Hub has its image, or GitHub the
 * checksum of each of its files.
 */
export type Publisher = {
  /** Its repository at GitHub, as `owner/name`. */
  github: string;
  /** Its module of Go, where the proxy has it and its versions are those of the releases. */
  goModule?: string;
  /** Repositories at GitHub of what its image is built with. Their versions are not those of the image. */
  parts?: readonly string[];
  /** The `major.minor` that we stay with; a later one is noted as the newest upstream. */
  minor?: string;
  /** The tag of our image for a version such as `1.13.11`. */
  tagOf: (version: string) => string;
  /** The names of its files, where it is downloaded. */
  files?: Readonly<Partial<Record<Processor, (version: string) => string>>>;
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
    parts: ["mholt/caddy-l4"],
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
  compose: {
    github: "docker/compose",
    goModule: "github.com/docker/compose/v2",
    minor: "2.40",
    tagOf: withV,
    files: {
      x86_64: () => "docker-compose-linux-x86_64",
      aarch64: () => "docker-compose-linux-aarch64",
    },
  },
  age: {
    github: "FiloSottile/age",
    goModule: "filippo.io/age",
    tagOf: withV,
    files: { x86_64: (version) => `age-v${version}-linux-amd64.tar.gz` },
  },
};
