import { catalogue } from "../../deployments/bundle/releases.ts";
import type { Role } from "../compose-service.ts";
import { isOn, listAt, mapAt, numberAt, textAt, valueAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { at, atService, inEach, inServices } from "./find.ts";
import { docs, issue } from "./sources.ts";

export const programs: readonly Role[] = ["livekit", "egress", "ingress", "sip", "caddy", "redis"];

const limits = 'logging:\n  driver: local\n  options:\n    max-size: 10m\n    max-file: "5"';

export const coresOf = (from: {
  value: Parameters<typeof numberAt>[0]["value"];
}): number | undefined =>
  numberAt(from, "cpus") ?? numberAt(from, "deploy", "resources", "limits", "cpus");

/** Of Compose's durations, such as `1m30s`. */
function secondsOf(duration: string): number {
  const units = { h: 3_600, m: 60, s: 1, ms: 0.001, us: 0.000_001 };
  return [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|us|h|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * units[unit as keyof typeof units],
    0,
  );
}

export const composeRules: readonly Rule[] = [
  {
    code: "compose.restart.missing",
    fault: "wrong",
    severity: "critical",
    title: "A service stays away after a crash or a reboot",
    reason: "Without restart Docker does not start it again.",
    source: docs.vm,
    find: inServices(programs, (service) => {
      const policy = textAt(service.at, "restart");
      const isSwarm = valueAt(service.at, "deploy", "restart_policy") !== undefined;
      return !isSwarm && (policy === undefined || policy === "no")
        ? atService(service, ["restart"], "restart: unless-stopped", service.name)
        : undefined;
    }),
  },
  {
    code: "compose.logs.unbounded",
    fault: "slow",
    severity: "warning",
    title: "The log of a service grows without a limit",
    reason:
      "Docker keeps each line until the container goes. A full disk ends recordings and Redis.",
    source: "https://docs.docker.com/engine/logging/drivers/json-file/",
    find: inServices(programs, (service) => {
      const driver = textAt(service.at, "logging", "driver") ?? "json-file";
      const size = textAt(service.at, "logging", "options", "max-size");
      return driver === "json-file" && size === undefined
        ? atService(service, ["logging"], limits, service.name)
        : undefined;
    }),
  },
  {
    code: "compose.health.missing",
    fault: "wrong",
    severity: "warning",
    title: "Nobody asks whether LiveKit answers",
    reason: "A LiveKit that hangs looks like one that runs. It answers GET / with OK.",
    source: issue("livekit/livekit", 2257),
    find: inServices("livekit", (service) => {
      const check = mapAt(service.at, "healthcheck");
      return check.test === undefined || check.disable === true
        ? atService(
            service,
            ["healthcheck"],
            'healthcheck:\n  test: ["CMD-SHELL", "wget -qO /dev/null http://127.0.0.1:7880/"]\n  interval: 15s',
          )
        : undefined;
    }),
  },
  {
    code: "compose.stop.short",
    fault: "wrong",
    severity: "warning",
    title: "LiveKit has no time to end calls",
    reason:
      "When it is stopped it takes no new rooms and lets calls end. Docker kills it after ten seconds.",
    source: docs.distributed,
    find: inServices("livekit", (service) => {
      const time = textAt(service.at, "stop_grace_period");
      return time === undefined || secondsOf(time) < 30
        ? atService(service, ["stop_grace_period"], "stop_grace_period: 5m", time)
        : undefined;
    }),
  },
  {
    code: "compose.ports.host",
    fault: "wrong",
    severity: "warning",
    title: "Ports are published for a service on the host's network",
    reason:
      "They have no effect: it listens on the machine itself, on all the ports of its own file.",
    source: "https://docs.docker.com/engine/network/drivers/host/",
    find: inServices(programs, (service) =>
      service.isHost && service.ports.length > 0
        ? atService(service, ["ports"], "network_mode: host\n# and no ports", service.name)
        : undefined,
    ),
  },
  {
    code: "compose.privileged",
    fault: "insecure",
    severity: "warning",
    title: "A service may do everything on the machine",
    reason:
      "A fault in it is then a fault of the whole machine. None of LiveKit's programs needs this.",
    source: "https://docs.docker.com/reference/compose-file/services/",
    find: inServices(programs, (service) =>
      isOn(service.at, "privileged")
        ? atService(service, ["privileged"], "privileged: false", service.name)
        : undefined,
    ),
  },
  {
    code: "compose.version",
    fault: "outdated",
    severity: "warning",
    title: "The Compose file names a version",
    reason: "Compose has not read it since 2020, and warns at each start.",
    source: "https://docs.docker.com/reference/compose-file/version-and-name/",
    find: inEach("compose", (part) =>
      valueAt(part, "version") === undefined
        ? undefined
        : at(part, ["version"], "# Leave version out."),
    ),
  },
  {
    code: "compose.cpus.few",
    fault: "slow",
    severity: "warning",
    title: "LiveKit has less than one core",
    reason: "Docker stops it for a part of each tenth of a second, which is heard in every call.",
    source: "https://docs.livekit.io/transport/self-hosting/benchmark/",
    find: inServices("livekit", (service) => {
      const cores = coresOf(service.at);
      return cores !== undefined && cores < 1
        ? atService(service, ["cpus"], "# Leave the limit out, or:\ncpus: 2", `${cores} of a core`)
        : undefined;
    }),
  },
  {
    code: "compose.config.unmounted",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit's file is not in its container",
    reason: "It does not start: open livekit.yaml: no such file or directory.",
    source: docs.vm,
    find: inServices("livekit", (service) => {
      const [, path] = /--config[= ](\S+)/.exec(service.command) ?? [];
      if (!path || path.includes("$") || listAt(service.at, "configs").length > 0) return;
      return service.mounts.some(
        (each) => path === each || path.startsWith(`${each.replace(/\/$/, "")}/`),
      )
        ? undefined
        : atService(service, ["volumes"], `volumes:\n  - ./livekit.yaml:${path}:ro`, path);
    }),
  },
  {
    code: "caddy.storage.missing",
    fault: "wrong",
    severity: "warning",
    title: "Certificates are lost with Caddy's container",
    reason:
      "It asks for new ones each time. Let's Encrypt gives five of one kind in a week, and then none.",
    source: "https://letsencrypt.org/docs/rate-limits/",
    find: inServices("caddy", (service) =>
      service.mounts.some((path) => path === "/data" || path.startsWith("/data/"))
        ? undefined
        : atService(service, ["volumes"], "volumes:\n  - ./data/caddy:/data"),
    ),
  },
  {
    code: "caddy.layer4.missing",
    fault: "wrong",
    severity: "critical",
    title: "This Caddy has no layer 4",
    reason:
      "It does not start with this file: the module layer4 is in LiveKit's image, not in the official one.",
    source: docs.vm,
    find: inServices("caddy", (service, { caddy }) =>
      service.image?.repository === "caddy" &&
      caddy.some((part) => valueAt(part, "apps", "layer4") !== undefined)
        ? atService(
            service,
            ["image"],
            `image: ${catalogue.caddy.image}:${catalogue.caddy.pinned}`,
            service.image.repository,
          )
        : undefined,
    ),
  },
];
