import type { BundleFile, Connection } from "../bundle-types.ts";
import { contentHash } from "../content-hash.ts";
import { clusterOf, edgeName, roleOf, severalOf } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { composeValue } from "../quoting.ts";
import { type YamlMap, yamlDocument } from "../yaml.ts";
import { type Service, servicesFor } from "./compose-services.ts";
import { inOptLivekit } from "./installed.ts";

/** The Compose file. All services use the host's network, because LiveKit's ten thousand UDP ports cannot be mapped one by one. */
export function compose(
  options: DeploymentOptions,
  files: readonly BundleFile[],
  connection?: Connection,
): BundleFile[] {
  const services: Record<string, YamlMap> = {};
  for (const [name, service] of Object.entries(servicesFor(options, connection)))
    services[name] = { ...composed(service, options, files), ...placed(name, options) };
  return [
    {
      path: "docker-compose.yaml",
      content: yamlDocument({ services }),
      language: "yaml",
      purpose: "The services, their versions, health checks and limits.",
      installed: inOptLivekit("docker-compose.yaml"),
    },
  ];
}

/**
 * Of several machines each starts the services of its role alone: Compose reads the role as its profile in .env, and with
 * it where the edge is. A machine that has no role yet starts none of them, and its Compose file is right all the same.
 */
function placed(name: string, options: DeploymentOptions): YamlMap {
  if (!severalOf(options)) return {};
  const role = roleOf(options, name);
  return {
    profiles: [role],
    extra_hosts:
      role !== "edge" && clusterOf(options)
        ? [`${edgeName}:\${EDGE_ADDRESS:-127.0.0.1}`]
        : undefined,
  };
}

function composed(
  service: Service,
  { security, redis, topology }: DeploymentOptions,
  files: readonly BundleFile[],
): YamlMap {
  const hard = security !== "standard";
  const mounts = Object.entries(service.files);
  const mounted = mounts.map(([, path]) => files.find((file) => file.path === path)?.content ?? "");
  const { start } = service;
  return {
    image: service.image,
    ...(start === undefined
      ? {}
      : "script" in start
        ? { entrypoint: ["/bin/sh", "-c", composeValue(start.script)] }
        : { command: start.command.map(composeValue) }),
    working_dir: service.workingFolder,
    network_mode: "host",
    restart: "unless-stopped",
    stop_grace_period: service.stop,
    stop_signal: service.stopSignal,
    user: (hard ? service.hardenedUser : undefined) ?? service.user,
    env_file: service.secrets ? ["secrets.env"] : undefined,
    volumes:
      mounts.length > 0 || service.folders
        ? [...mounts.map(([inside, path]) => `./${path}:${inside}:ro`), ...(service.folders ?? [])]
        : undefined,
    depends_on:
      service.needsRedis && redis.kind === "bundled" && topology.kind === "single"
        ? { redis: { condition: "service_healthy" } }
        : undefined,
    healthcheck:
      service.health === undefined
        ? undefined
        : {
            test: ["CMD-SHELL", composeValue(service.health)],
            interval: "15s",
            timeout: "5s",
            retries: 4,
            start_period: "30s",
          },
    ...service.extra,
    security_opt: ["no-new-privileges:true"],
    cap_drop: hard ? ["ALL"] : undefined,
    cap_add: hard ? service.capabilities : undefined,
    read_only: hard && !service.writableRoot ? true : undefined,
    tmpfs: hard && !service.writableRoot ? ["/tmp"] : undefined,
    logging: { driver: "local", options: { "max-size": "10m", "max-file": "5" } },
    // Compose does not notice that a mounted file has changed. This label changes with the file, so Compose makes a new container.
    labels:
      mounts.length > 0 ? { "livekit-deploy.config": contentHash(mounted.join("\0")) } : undefined,
  };
}
