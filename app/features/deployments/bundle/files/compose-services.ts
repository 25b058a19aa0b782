import type { Connection } from "../bundle-types.ts";
import {
  acceptsIngress,
  balancedOf,
  clusterOf,
  hasEgress,
  hasIngress,
  hasInsights,
  hasMetrics,
  hasSip,
  savingMinutes,
  sendsSessions,
  turnOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { type Component, imageOf, minorTag, pinnedImage } from "../versions.ts";
import type { YamlMap } from "../yaml.ts";
import { redisAuthorityMount, webhookKey } from "./livekit.ts";

/** What one service has of its own. compose.ts adds what all services have: mounts, hardening, limits of logs. */
export type Service = {
  image: string;
  /** Replaces the command of the image. A script where the configuration needs secrets, which only the shell knows. */
  start?: { command: string[] } | { script: string };
  /** Files of the bundle, by their path in the container. */
  files: Record<string, string>;
  folders?: readonly string[];
  /** The working directory, where it differs from that of the image. */
  workingFolder?: string | undefined;
  secrets?: boolean;
  health?: string;
  stop?: string;
  stopSignal?: string;
  needsRedis?: boolean;
  /** The container's user at every security level. */
  user?: string;
  /** With high or enterprise security: the only capabilities that the container keeps. */
  capabilities?: readonly string[];
  /** With high or enterprise security: the container's user, where it differs from that of the image. */
  hardenedUser?: string;
  /** The root filesystem stays writable at every security level. The browser of Egress writes in many places. */
  writableRoot?: boolean;
  extra?: YamlMap;
};

/** The image of the chosen version. With scheduled updates it has the tag that moves to each new patch. */
function imageFor({ versions, updates }: DeploymentOptions, component: Component): string {
  const tag = versions[component];
  return imageOf(component, updates === "manual" ? tag : minorTag(tag));
}

/** A command that looks whether a port is listened on. It opens no connection, since Caddy logs an error for an empty one. */
function listens(port: number): string {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, "0");
  return `grep -q ':${hexadecimal} 0*:0000 0A' /proc/net/tcp*`;
}

/** The services that these options need, keyed by their names in the Compose file. */
export function servicesFor(
  options: DeploymentOptions,
  connection?: Connection,
): Record<string, Service> {
  const hasSpool = sendsSessions(options, connection);
  const inCluster = clusterOf(options) !== undefined;
  // The edge makes its configuration from caddy.yaml and the list of machines. In a folder Caddy finds the new file at SIGUSR1.
  const caddyConfig = inCluster ? "/etc/edge/caddy.yaml" : "/etc/caddy.yaml";
  return {
    caddy: {
      image: imageFor(options, "caddy"),
      start: { command: ["run", "--config", caddyConfig, "--adapter", "yaml"] },
      files: inCluster ? {} : { [caddyConfig]: "caddy.yaml" },
      // What is in sessions/ has names of people, and is in no backup.
      folders: [
        ...(inCluster ? ["./state/edge:/etc/edge:ro"] : []),
        ...(balancedOf(options) ? ["./state/balancer:/etc/balancer:ro"] : []),
        "./data/caddy:/data",
        ...(hasSpool ? ["./data/sessions:/sessions"] : []),
      ],
      health: listens(options.proxy === "existing" ? port.proxiedHttps : port.https),
      capabilities: ["NET_BIND_SERVICE"],
      // Caddy also writes a file of its own into this folder.
      extra: { environment: { HOME: "/data", ...(inCluster ? privateAddress : {}) } },
    },
    livekit: {
      image: imageFor(options, "livekit"),
      start: {
        script: `LIVEKIT_KEYS="${acceptedKeys(options)}" ${hasSpool && options.webhooks.length === 0 ? "LIVEKIT_WEBHOOK_API_KEY=$LIVEKIT_API_KEY " : ""}exec /livekit-server --config /etc/livekit.yaml${inCluster ? ' --bind 127.0.0.1 --bind "$PRIVATE_ADDRESS"' : ""}\n`,
      },
      files: { "/etc/livekit.yaml": "livekit.yaml", ...redisAuthorityMount(options) },
      secrets: true,
      health: `wget -qO /dev/null http://127.0.0.1:${port.livekit}/`,
      // before-stop.sh has waited for a quiet moment already, so only calls that began since then are waited for.
      stop: "30s",
      needsRedis: true,
      // Opening a port below 1024 needs root with this one capability.
      ...(turnOf(options).udp && turnOf(options).udpPort < 1024
        ? { capabilities: ["NET_BIND_SERVICE"] }
        : { hardenedUser: "65534:65534" }),
      // before-start.sh writes the public address into state/address.env. When it changes, Compose makes a new container.
      extra: {
        env_file: ["secrets.env", "state/address.env"],
        environment: inCluster ? privateAddress : undefined,
      },
    },
    ...(options.redis.kind === "bundled" ? { redis: redisService(options) } : {}),
    ...(hasEgress(options) ? { egress: egressService(options) } : {}),
    ...(hasIngress(options) ? { ingress: ingressService(options) } : {}),
    ...(hasSip(options) ? { sip: sipService(options) } : {}),
    ...(hasMetrics(options) ? monitoringServices(options) : {}),
    ...agentServices(options),
  };
}

/** The address of the machine in the network of its cluster, which Compose reads in .env. */
const privateAddress = { PRIVATE_ADDRESS: `\${PRIVATE_ADDRESS:-127.0.0.1}` };

/** The API keys that LiveKit accepts, as lines of YAML. While a rotation is not finished, the old key is one of them. */
function acceptedKeys({ webhooks }: DeploymentOptions): string {
  const pair = (name: string) => `$${name}_KEY: $${name}_SECRET`;
  return `${pair("LIVEKIT_API")}\n\${LIVEKIT_OLD_API_KEY:+${pair("LIVEKIT_OLD_API")}}${webhooks.length > 0 ? `\n${webhookKey}: $WEBHOOK_SECRET` : ""}`;
}

/** Redis takes a snapshot of this name for an append-only file of before version 7, and goes on from it. */
const snapshotAsAppendOnlyFile =
  "[ -e /data/appendonlydir ] || [ ! -e /data/dump.rdb ] || cp /data/dump.rdb /data/appendonly.aof\n";

/** Of a rotation that is under way: the old password and the new one, of which `requirepass` can have one alone. */
const bothPasswords = "$(cat /data/rotation.conf 2>/dev/null)\n";

/**
 * With `exec` Redis is the first process of the container, so it gets the signal to stop and saves its data. A password
 * has neither single quotes nor backslashes, so it may stand in single quotes as it is.
 */
function redisService(options: DeploymentOptions): Service {
  const inCluster = clusterOf(options) !== undefined;
  return {
    image: imageFor(options, "redis"),
    start: {
      script: `${inCluster ? snapshotAsAppendOnlyFile : ""}exec redis-server - <<END\n$(cat /etc/redis.conf)\n${inCluster ? "bind 127.0.0.1 $PRIVATE_ADDRESS\n" : ""}requirepass '$REDIS_PASSWORD'\n${inCluster ? bothPasswords : ""}END\n`,
    },
    files: { "/etc/redis.conf": "redis.conf" },
    folders: ["./data/redis:/data"],
    secrets: true,
    health: 'REDISCLI_AUTH="$REDIS_PASSWORD" redis-cli ping | grep -q PONG',
    stop: "1m",
    user: "999:1000",
    ...(inCluster ? { extra: { environment: privateAddress } } : {}),
  };
}

/** Shell lines that export a configuration with the Redis password as its last line, in single quotes of YAML. */
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
    files: { "/etc/egress.yaml": "egress.yaml", ...redisAuthorityMount(options) },
    folders: recording.kind === "local" ? ["./out:/out"] : [],
    // Egress resolves a path without a leading slash against its working directory.
    workingFolder: recording.kind === "local" ? "/out" : undefined,
    secrets: true,
    health: `curl -fsS -o /dev/null http://127.0.0.1:${port.egressHealth}/`,
    // On SIGINT Egress ends its recordings and saves them. On SIGTERM it would wait for the calls to end.
    stopSignal: "SIGINT",
    stop: `${savingMinutes(options)}m`,
    needsRedis: true,
    writableRoot: true,
    extra: { shm_size: "1gb" },
  };
}

/** WHIP needs the public address. STUN is asked for it only where state/address.env does not have it. */
function ingressService(options: DeploymentOptions): Service {
  const whip = acceptsIngress(options, "webrtc");
  const body = bodyWithPassword("INGRESS_CONFIG_BODY", "/etc/ingress.yaml");
  const withAddress = [
    "a=",
    `[ -z "$NODE_IP" ] || a="s/use_external_ip: .*/use_external_ip: false\\\\n  node_ip: '$NODE_IP'/"`,
    body.replace("cat /", 'sed "$a" /'),
  ];
  return {
    image: imageFor(options, "ingress"),
    start: { script: [...(whip ? withAddress : [body]), "exec ingress", ""].join("\n") },
    files: { "/etc/ingress.yaml": "ingress.yaml", ...redisAuthorityMount(options) },
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

/** Older images have no HTTP client, so bash opens the ports itself. */
function healthOfIngress(options: DeploymentOptions): string {
  const publicPort = acceptsIngress(options, "rtmp") ? port.rtmp : port.whip;
  return `bash -c 'echo >/dev/tcp/127.0.0.1/${port.ingressHealth} && echo >/dev/tcp/127.0.0.1/${publicPort}'`;
}

/** The public address is written into the configuration where it is known. Otherwise SIP asks STUN. It refuses both settings together. */
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
    files: { "/etc/sip.yaml": "sip.yaml", ...redisAuthorityMount(options) },
    secrets: true,
    // The image has no HTTP client. Status 429 means busy, which is healthy; only 503 is not.
    health: `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port.sipHealth} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && read -r _ s _ <&3 && [ "$s" != 503 ]'`,
    // On SIGINT the service hangs up. On SIGTERM it would wait for the end of every call.
    stopSignal: "SIGINT",
    stop: "30s",
    needsRedis: true,
    hardenedUser: "65534:65534",
    extra: { env_file: ["secrets.env", "state/address.env"] },
  };
}

/**
 * The customer's agent worker gets the API key and agent.env, and no other secret of the machine. We do not know what its
 * image needs, so it keeps its command, its user and a writable root filesystem.
 */
function agentServices(options: DeploymentOptions): Record<string, Service> {
  const { agent } = options;
  if (agent.kind === "none") return {};
  return {
    agent: {
      image: agent.image,
      files: {},
      // The calls are over by then. This is the time for what a job does after its call.
      stop: "2m",
      writableRoot: true,
      extra: {
        env_file: ["state/agent-key.env", "agent.env"],
        environment: {
          LIVEKIT_URL: `ws://127.0.0.1:${port.livekit}`,
          LIVEKIT_OBSERVABILITY_URL: hasInsights(options)
            ? `http://127.0.0.1:${port.insights}`
            : undefined,
        },
      },
    },
  };
}

function monitoringServices({ monitoring }: DeploymentOptions): Record<string, Service> {
  return {
    prometheus: {
      image: pinnedImage("prometheus"),
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
      image: pinnedImage("node-exporter"),
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
