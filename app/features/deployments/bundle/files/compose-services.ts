import {
  acceptsIngress,
  hasEgress,
  hasIngress,
  hasMetrics,
  hasSip,
  savingMinutes,
  turnOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { type Component, imageOf, minorTag, monitoringImages } from "../versions.ts";
import type { YamlMap } from "../yaml.ts";
import { webhookKey } from "./livekit.ts";

/** A service before hardening, mounts and limits, which are alike for all. */
export type Service = {
  image: string;
  /** Replaces the image's own start, where given; a shell where secrets have to be put together. */
  start?: { command: string[] } | { script: string };
  /** Files of the bundle, by the path in the container. */
  files: Record<string, string>;
  folders?: readonly string[];
  /** The working directory, where it is not the image's own. */
  workingFolder?: string | undefined;
  secrets?: boolean;
  health?: string;
  stop?: string;
  stopSignal?: string;
  needsRedis?: boolean;
  /** The container's user at every security level. */
  user?: string;
  /** From high security on: what is given back after all capabilities are taken. */
  capabilities?: readonly string[];
  /** From high security on: a user other than the image's. */
  hardenedUser?: string;
  /** Egress's browser writes in many places, so its root filesystem stays writable. */
  writableRoot?: boolean;
  extra?: YamlMap;
};

/** Exactly the chosen version, or with a schedule of updates the tag under which its patches come. */
function imageFor({ versions, updates }: DeploymentOptions, component: Component): string {
  const tag = versions[component];
  return imageOf(component, updates === "manual" ? tag : minorTag(tag));
}

/** Whether somebody listens on a port, without a connection: Caddy logs an error for each that says nothing. */
function listens(port: number): string {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, "0");
  return `grep -q ':${hexadecimal} 0*:0000 0A' /proc/net/tcp*`;
}

/** The services that these options ask for, by their names in the Compose file. */
export function servicesFor(options: DeploymentOptions): Record<string, Service> {
  return {
    caddy: {
      image: imageFor(options, "caddy"),
      start: { command: ["run", "--config", "/etc/caddy.yaml", "--adapter", "yaml"] },
      files: { "/etc/caddy.yaml": "caddy.yaml" },
      folders: ["./data/caddy:/data"],
      health: listens(options.proxy === "existing" ? port.proxiedHttps : port.https),
      capabilities: ["NET_BIND_SERVICE"],
      // Caddy keeps a file of its own beside the certificates.
      extra: { environment: { HOME: "/data" } },
    },
    livekit: {
      image: imageFor(options, "livekit"),
      start: {
        script: `LIVEKIT_KEYS="${acceptedKeys(options)}" exec /livekit-server --config /etc/livekit.yaml\n`,
      },
      files: { "/etc/livekit.yaml": "livekit.yaml" },
      secrets: true,
      health: `wget -qO /dev/null http://127.0.0.1:${port.livekit}/`,
      // before-stop.sh has waited for a quiet moment: only who came since then is waited for.
      stop: "30s",
      needsRedis: true,
      // Only root may open a port below 1024, and of root's rights it keeps this one.
      ...(turnOf(options).udp && turnOf(options).udpPort < 1024
        ? { capabilities: ["NET_BIND_SERVICE"] }
        : { hardenedUser: "65534:65534" }),
      // before-start.sh writes the second: another public address makes another container.
      extra: { env_file: ["secrets.env", "state/address.env"] },
    },
    ...(options.redis.kind === "bundled" ? { redis: redisService(options) } : {}),
    ...(hasEgress(options) ? { egress: egressService(options) } : {}),
    ...(hasIngress(options) ? { ingress: ingressService(options) } : {}),
    ...(hasSip(options) ? { sip: sipService(options) } : {}),
    ...(hasMetrics(options) ? monitoringServices(options) : {}),
    ...agentServices(options),
  };
}

/** Every pair that LiveKit takes tokens of, as lines of YAML. A rotation keeps the old one until it is finished. */
function acceptedKeys({ webhooks }: DeploymentOptions): string {
  const pair = (name: string) => `$${name}_KEY: $${name}_SECRET`;
  return `${pair("LIVEKIT_API")}\n\${LIVEKIT_OLD_API_KEY:+${pair("LIVEKIT_OLD_API")}}${webhooks.length > 0 ? `\n${webhookKey}: $WEBHOOK_SECRET` : ""}`;
}

/**
 * `exec` keeps Redis the first process, so that it hears the signal to stop and saves. A password has neither
 * single quotes nor backslashes, so single quotes carry it whole.
 */
function redisService(options: DeploymentOptions): Service {
  return {
    image: imageFor(options, "redis"),
    start: {
      script:
        "exec redis-server - <<END\n$(cat /etc/redis.conf)\nrequirepass '$REDIS_PASSWORD'\nEND\n",
    },
    files: { "/etc/redis.conf": "redis.conf" },
    folders: ["./data/redis:/data"],
    secrets: true,
    health: 'REDISCLI_AUTH="$REDIS_PASSWORD" redis-cli ping | grep -q PONG',
    stop: "1m",
    user: "999:1000",
  };
}

/** The Redis password as the last line of a configuration, in single quotes that YAML reads literally. */
function bodyWithPassword(variable: string, file: string): string {
  return [
    `p=$(printf %s "$REDIS_PASSWORD" | sed "s/'/''/g")`,
    `export ${variable}="$(cat ${file})`,
    `  password: '$p'"`,
  ].join("\n");
}

function egressService(options: DeploymentOptions): Service {
  const { recording } = options;
  const keys = {
    none: [],
    local: [],
    s3: ['export AWS_ACCESS_KEY_ID="$S3_ACCESS_KEY" AWS_SECRET_ACCESS_KEY="$S3_SECRET"'],
    gcs: [
      'if [ -n "$GCS_CREDENTIALS" ]; then',
      '  (umask 077; printf %s "$GCS_CREDENTIALS" | base64 -d >/tmp/storage.json)',
      "  export GOOGLE_APPLICATION_CREDENTIALS=/tmp/storage.json",
      "fi",
    ],
  }[recording.kind];
  const body = bodyWithPassword("EGRESS_CONFIG_BODY", "/etc/egress.yaml");
  return {
    image: imageFor(options, "egress"),
    start: { script: [body, ...keys, "exec /entrypoint.sh", ""].join("\n") },
    files: { "/etc/egress.yaml": "egress.yaml" },
    folders: recording.kind === "local" ? ["./out:/out"] : [],
    // Egress writes a path without a leading slash below its working directory.
    workingFolder: recording.kind === "local" ? "/out" : undefined,
    secrets: true,
    health: `curl -fsS -o /dev/null http://127.0.0.1:${port.egressHealth}/`,
    // This signal ends what is recorded and saves it; the usual one would wait for the end of the call.
    stopSignal: "SIGINT",
    stop: `${savingMinutes(options)}m`,
    needsRedis: true,
    writableRoot: true,
    extra: { shm_size: "1gb" },
  };
}

/** Streams by WHIP are sent to the public address: STUN is asked for it only where it is not known. */
function ingressService(options: DeploymentOptions): Service {
  const whip = acceptsIngress(options, "webrtc");
  const body = bodyWithPassword("INGRESS_CONFIG_BODY", "/etc/ingress.yaml");
  const known = [
    "a=",
    `[ -z "$NODE_IP" ] || a="s/use_external_ip: .*/use_external_ip: false\\\\n  node_ip: '$NODE_IP'/"`,
    body.replace("cat /", 'sed "$a" /'),
  ];
  return {
    image: imageFor(options, "ingress"),
    start: { script: [...(whip ? known : [body]), "exec ingress", ""].join("\n") },
    files: { "/etc/ingress.yaml": "ingress.yaml" },
    secrets: true,
    health: healthOfIngress(options),
    stop: "30s",
    needsRedis: true,
    extra: {
      environment: { HOME: "/tmp" },
      ...(whip ? { env_file: ["secrets.env", "state/address.env"] } : {}),
    },
  };
}

/** Older images have no HTTP client, so the shell itself looks whether the port answers. */
function healthOfIngress(options: DeploymentOptions): string {
  const own = acceptsIngress(options, "rtmp") ? port.rtmp : port.whip;
  return `bash -c 'echo >/dev/tcp/127.0.0.1/${port.ingressHealth} && echo >/dev/tcp/127.0.0.1/${own}'`;
}

/** Without a known address STUN is asked; SIP takes one of the two only. */
function sipService(options: DeploymentOptions): Service {
  return {
    image: imageFor(options, "sip"),
    start: {
      script: [
        'a="nat_1_to_1_ip: $NODE_IP"',
        '[ "$NODE_IP" ] || a="use_external_ip: true"',
        bodyWithPassword("SIP_CONFIG_BODY", "/etc/sip.yaml").replace('="$(', '="$a\n$('),
        "exec livekit-sip",
        "",
      ].join("\n"),
    },
    files: { "/etc/sip.yaml": "sip.yaml" },
    secrets: true,
    // The image has no HTTP client. 429 is a server that is busy.
    health: `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port.sipHealth} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && read -r _ s _ <&3 && [ "$s" != 503 ]'`,
    // This signal hangs up; the usual one would wait for the end of every call.
    stopSignal: "SIGINT",
    stop: "30s",
    needsRedis: true,
    hardenedUser: "65534:65534",
    extra: { env_file: ["secrets.env", "state/address.env"] },
  };
}

/**
 * An image of the customer's own: it gets the API key and agent.env, and no other secret of the machine. What it
 * is made of is not known, so it keeps its own start, its user and a root filesystem that it may write.
 */
function agentServices({ agent }: DeploymentOptions): Record<string, Service> {
  if (agent.kind === "none") return {};
  return {
    agent: {
      image: agent.image,
      files: {},
      // Its calls are over: what a job does after them has this long.
      stop: "2m",
      writableRoot: true,
      extra: {
        env_file: ["state/agent-key.env", "agent.env"],
        environment: { LIVEKIT_URL: `ws://127.0.0.1:${port.livekit}` },
      },
    },
  };
}

function monitoringServices({ monitoring }: DeploymentOptions): Record<string, Service> {
  return {
    prometheus: {
      image: monitoringImages.prometheus,
      start: {
        command: [
          "--config.file=/etc/prometheus/prometheus.yaml",
          `--web.listen-address=127.0.0.1:${port.prometheus}`,
          "--storage.tsdb.path=/prometheus",
          "--storage.tsdb.retention.time=15d",
        ],
      },
      files: {
        "/etc/prometheus/prometheus.yaml": "prometheus.yaml",
        ...(monitoring === "24/7" ? { "/etc/prometheus/rules.yaml": "prometheus-rules.yaml" } : {}),
      },
      folders: ["./data/prometheus:/prometheus"],
      health: `wget -qO /dev/null http://127.0.0.1:${port.prometheus}/-/healthy`,
      user: "65534:65534",
    },
    "node-exporter": {
      image: monitoringImages.nodeExporter,
      start: {
        command: [`--web.listen-address=127.0.0.1:${port.nodeExporter}`, "--path.rootfs=/host"],
      },
      files: {},
      folders: ["/:/host:ro,rslave"],
      health: `wget -qO /dev/null http://127.0.0.1:${port.nodeExporter}/`,
      user: "65534:65534",
      extra: { pid: "host" },
    },
  };
}
