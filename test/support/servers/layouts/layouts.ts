import type { Layout } from "../../../../app/features/servers/layout/layout.ts";
import { composed, container, type Service } from "./containers.ts";
import type { LayoutFiles } from "./layout-machine.ts";
import { caddyYaml, deployUnit, deployYaml, nginxSite, secret, turn } from "./layout-texts.ts";

/** Where the LiveKit of a layout answers in a test, and where the proxy before it does. */
export type LayoutPorts = { livekit: number; metrics: number; tls: number };

export type LayoutCase = (ports: LayoutPorts) => LayoutFiles & {
  layout: Omit<Layout, "facts">;
  version: string | undefined;
  domain: string | undefined;
  /** The codes of what is wrong, without `connected.` at their beginning. */
  findings: readonly string[];
  /** Whether its metrics are read. */
  hasMetrics?: true;
};

const deployServices = (tag: string): Service[] => [
  {
    name: "caddy",
    image: "livekit/caddyl4",
    path: "caddy",
    args: ["run", "--config", "/etc/caddy.yaml", "--adapter", "yaml"],
  },
  {
    name: "livekit",
    image: `livekit/livekit-server:${tag}`,
    args: ["--config", "/etc/livekit.yaml"],
    mounts: { "/etc/livekit.yaml": "/opt/livekit/livekit.yaml" },
  },
  { name: "redis", image: "redis:7-alpine", path: "docker-entrypoint.sh" },
];

const nothing = { where: "", config: "", name: "", user: "", tool: "", proxy: "" };

/** Nine ways in which people run LiveKit on a machine, written by us after what is public of each. The tenth is a cluster: pod.ts. */
export const layouts: Readonly<Record<string, LayoutCase>> = {
  "livekit/deploy, first generation": ({ livekit, tls }) => ({
    files: {
      "opt/livekit/livekit.yaml": deployYaml(livekit),
      "opt/livekit/caddy.yaml": caddyYaml(livekit, tls),
      "opt/livekit/docker-compose.yaml": "version: '3'\nservices: {}\n",
      "etc/systemd/system/livekit-docker.service": deployUnit,
    },
    engines: { docker: composed("/opt/livekit/docker-compose.yaml", deployServices("latest")) },
    layout: {
      ...nothing,
      ...{ kind: "compose", where: "/opt/livekit/docker-compose.yaml", name: "livekit" },
      ...{ config: "/opt/livekit/livekit.yaml", tool: "docker", proxy: "caddy" },
    },
    version: undefined,
    domain: "live.example.com",
    findings: ["keys.readable", "image.moves"],
  }),
  "livekit/deploy, second generation, with Egress and Ingress": ({ livekit, tls, metrics }) => ({
    files: {
      "opt/livekit/livekit.yaml": {
        content: deployYaml(livekit, `prometheus:\n    port: ${metrics}\n`),
        mode: 0o600,
      },
      "opt/livekit/caddy.yaml": caddyYaml(livekit, tls),
      "opt/livekit/docker-compose.yaml": "services: {}\n",
    },
    engines: {
      docker: composed("/opt/livekit/docker-compose.yaml", [
        ...deployServices("v1.9.11"),
        { name: "egress", image: "livekit/egress:latest", path: "egress" },
        { name: "ingress", image: "livekit/ingress:latest", path: "ingress" },
      ]),
    },
    layout: {
      ...nothing,
      ...{ kind: "compose", where: "/opt/livekit/docker-compose.yaml", name: "livekit" },
      ...{ config: "/opt/livekit/livekit.yaml", tool: "docker", proxy: "caddy" },
    },
    version: "v1.9.11",
    domain: "live.example.com",
    findings: [],
    hasMetrics: true,
  }),
  "a Compose file with the development keys": ({ livekit }) => ({
    files: {
      "home/dev/app/docker-compose.yml": "services: {}\n",
    },
    engines: {
      docker: composed(
        "/home/dev/app/docker-compose.yml",
        [
          {
            name: "livekit-server",
            image: "livekit/livekit-server:v1.8.4",
            args: ["--dev", "--bind", "0.0.0.0"],
            env: [`LIVEKIT_CONFIG=port: ${livekit}\nlogging:\n  level: info\n`],
            network: "app_default",
            restart: "no",
          },
          { name: "web", image: "registry.example.net/app:12", path: "node" },
        ],
        "app",
      ),
    },
    layout: {
      ...nothing,
      ...{ kind: "compose", where: "/home/dev/app/docker-compose.yml", name: "livekit-server" },
      tool: "docker",
    },
    version: "v1.8.4",
    domain: undefined,
    findings: ["keys.known", "start.manual", "turn.off"],
  }),
  "a Compose file beside Traefik": ({ livekit }) => ({
    files: {
      "srv/stack/compose.yaml": "services: {}\n",
      "srv/stack/livekit/config.yaml": `port: ${livekit}
rtc:
  udp_port: 7882
  tcp_port: 7881
keys:
  APItraefik: ${secret}
`,
    },
    engines: {
      docker: composed(
        "/srv/stack/compose.yaml",
        [
          {
            name: "sfu",
            image: "docker.io/livekit/livekit-server:v1.10.1@sha256:abc",
            args: ["--config=/config/config.yaml"],
            mounts: { "/config": "/srv/stack/livekit" },
            labels: {
              "traefik.enable": "true",
              "traefik.http.routers.sfu.rule": "Host(`sfu.example.net`)",
              "traefik.http.services.sfu.loadbalancer.server.port": "7880",
            },
            network: "stack_default",
            restart: "always",
          },
          { name: "traefik", image: "traefik:v3.5", path: "/entrypoint.sh" },
        ],
        "stack",
      ),
    },
    layout: {
      ...nothing,
      ...{ kind: "compose", where: "/srv/stack/compose.yaml", name: "sfu", tool: "docker" },
      ...{ config: "/srv/stack/livekit/config.yaml", proxy: "traefik" },
    },
    version: "v1.10.1",
    domain: "sfu.example.net",
    findings: ["keys.readable", "turn.off"],
  }),
  "a Compose file whose LiveKit is stopped": ({ livekit }) => ({
    files: {
      "root/livekit/docker-compose.yml": "services: {}\n",
      "root/livekit/livekit.yaml": {
        content: `port: ${livekit}\nkeys: # one for each app\n  "APIone": "short"\n${turn("turn.example.com")}`,
        mode: 0o600,
      },
    },
    engines: {
      docker: composed("/root/livekit/docker-compose.yml", [
        {
          name: "livekit",
          image: "livekit/livekit-server:v1.9.1",
          args: ["--config", "/etc/livekit.yaml"],
          mounts: { "/etc/livekit.yaml": "/root/livekit/livekit.yaml" },
          state: "exited",
        },
      ]),
    },
    layout: {
      ...nothing,
      ...{ kind: "compose", where: "/root/livekit/docker-compose.yml", name: "livekit" },
      ...{ config: "/root/livekit/livekit.yaml", tool: "docker" },
    },
    version: "v1.9.1",
    domain: undefined,
    findings: ["stopped", "keys.short"],
  }),
  "systemd behind nginx": ({ livekit, tls, metrics }) => ({
    files: {
      "etc/systemd/system/livekit.service": `[Unit]
Description=LiveKit
[Service]
User=livekit
ExecStart=/usr/local/bin/livekit-server \\
  --config /etc/livekit/livekit.yaml
Restart=on-failure
[Install]
WantedBy=multi-user.target
`,
      "etc/livekit/livekit.yaml": {
        content: `port: ${livekit}\nprometheus_port: ${metrics}\nkeys:\n  APIsystemd: ${secret}\n${turn("turn.example.org")}`,
        mode: 0o640,
      },
      "etc/nginx/sites-enabled/livekit": nginxSite(livekit, tls),
      "usr/local/bin/livekit-server": {
        content: "#!/bin/sh\necho 'livekit-server version 1.9.2'\n",
        mode: 0o755,
      },
    },
    units: ["livekit.service"],
    layout: {
      ...nothing,
      ...{ kind: "systemd", where: "/etc/systemd/system/livekit.service", name: "livekit.service" },
      ...{ config: "/etc/livekit/livekit.yaml", proxy: "nginx" },
    },
    version: "v1.9.2",
    domain: "rtc.example.org",
    findings: ["start.manual"],
    hasMetrics: true,
  }),
  "plain Docker behind nginx": ({ livekit, tls }) => ({
    files: {
      "etc/livekit.yaml": `port: 7880\nkeys:\n  APIplain: ${secret}\n${turn("turn.example.org")}`,
      "etc/nginx/conf.d/rtc.conf": nginxSite(7880, tls),
    },
    engines: {
      docker: [
        container({
          name: "livekit-server",
          image: "livekit/livekit-server:v1.7",
          args: ["--config", "/livekit.yaml"],
          mounts: { "/livekit.yaml": "/etc/livekit.yaml" },
          network: "bridge",
          ports: { "7880/tcp": [{ HostIp: "0.0.0.0", HostPort: String(livekit) }] },
          restart: "on-failure",
        }),
      ],
    },
    layout: {
      ...nothing,
      ...{ kind: "docker", where: "livekit-server", name: "livekit-server", tool: "docker" },
      ...{ config: "/etc/livekit.yaml", proxy: "nginx" },
    },
    version: undefined,
    domain: "rtc.example.org",
    findings: ["keys.readable", "start.manual"],
  }),
  "Amazon Linux with livekit/deploy's files": ({ livekit, tls }) => ({
    files: {
      "etc/os-release": 'NAME="Amazon Linux"\nVERSION="2023"\nID="amzn"\n',
      "var/lib/cloud/data/instance-id": "i-0f3a9c1b2d4e5f678\n",
      "opt/livekit/livekit.yaml": deployYaml(livekit),
      "opt/livekit/caddy.yaml": caddyYaml(livekit, tls),
      "opt/livekit/docker-compose.yaml": "services: {}\n",
    },
    engines: { docker: composed("/opt/livekit/docker-compose.yaml", deployServices("v1.9.11")) },
    layout: {
      ...nothing,
      ...{ kind: "compose", where: "/opt/livekit/docker-compose.yaml", name: "livekit" },
      ...{ config: "/opt/livekit/livekit.yaml", tool: "docker", proxy: "caddy" },
    },
    version: "v1.9.11",
    domain: "live.example.com",
    findings: ["keys.readable"],
  }),
  "rootless Podman": ({ livekit }) => ({
    files: {
      "home/rtc/livekit/livekit.yaml": {
        content: `port: ${livekit}\nkeys:\n  APIrootless: ${secret}\n${turn("turn.example.com")}`,
        mode: 0o600,
      },
    },
    engines: {
      "podman-1001": [
        container({
          name: "livekit",
          image: "docker.io/livekit/livekit-server:v1.9.11",
          args: ["--config", "/etc/livekit.yaml"],
          mounts: { "/etc/livekit.yaml": "/home/rtc/livekit/livekit.yaml" },
        }),
      ],
    },
    layout: {
      ...nothing,
      ...{ kind: "docker", where: "livekit", name: "livekit", tool: "podman", user: "1001" },
      config: "/home/rtc/livekit/livekit.yaml",
    },
    version: "v1.9.11",
    domain: undefined,
    findings: [],
  }),
};
