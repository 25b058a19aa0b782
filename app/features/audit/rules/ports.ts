import { publishes } from "../compose-service.ts";
import { isOn, numberAt, textsAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { type Part, servicesAs } from "../setup.ts";
import { at, atService, inServices } from "./find.ts";
import { isLocal, livekitPort, mediaPorts, tcpPort } from "./network.ts";
import { docs, issue } from "./sources.ts";

/** The ports of a program's own file, each with its path there. */
function tcpPortsOf(
  part: Part,
  kind: "livekit" | "egress" | "ingress",
): (readonly [number, string[]])[] {
  const paths = {
    livekit: [
      [["port"], 7880],
      [["rtc", "tcp_port"], 7881],
      ...(isOn(part, "turn", "enabled") ? [[["turn", "tls_port"], 0] as const] : []),
      [["prometheus", "port"], 0],
      [["prometheus_port"], 0],
      [["debug_handler", "port"], 0],
    ],
    egress: [
      [["template_port"], 7980],
      [["health_port"], 0],
      [["prometheus_port"], 0],
    ],
    ingress: [
      [["rtmp_port"], 1935],
      [["whip_port"], 8080],
      [["http_relay_port"], 9090],
      [["health_port"], 0],
      [["prometheus_port"], 0],
    ],
  } as const;
  return paths[kind].map(([path, usual]) => [numberAt(part, ...path) ?? usual, [...path]] as const);
}

export const portRules: readonly Rule[] = [
  {
    code: "ports.twice",
    fault: "wrong",
    severity: "critical",
    title: "Two listeners have the same TCP port",
    reason: "The second one cannot listen, and its program stops.",
    source: docs.ports,
    find: (setup) => {
      const shared = setup.services.length === 0 || setup.services.every(({ isHost }) => isHost);
      const taken = new Map<string, string>();
      return (["livekit", "egress", "ingress"] as const).flatMap((kind) =>
        setup[kind].slice(0, 1).flatMap((part) =>
          tcpPortsOf(part, kind).map(([port, path]) => {
            if (port <= 0) return undefined;
            const id = shared ? `${port}` : `${kind} ${port}`;
            const other = taken.get(id);
            const name = `${kind}: ${path.join(".")}`;
            taken.set(id, name);
            if (other === undefined) return undefined;
            const last = path.at(-1) ?? "";
            const free = `${last}: ${port + 1}`;
            return at(
              part,
              path,
              path.length > 1 ? `${path[0]}:\n  ${free}` : free,
              `${port}, of ${other} and ${name}`,
            );
          }),
        ),
      );
    },
  },
  {
    code: "compose.ports.unpublished",
    fault: "wrong",
    severity: "critical",
    title: "A port of LiveKit's is not published",
    reason:
      "On Docker's bridge only published ports are reached, each with its protocol: without /udp it is TCP.",
    source: docs.ports,
    find: inServices("livekit", (service, { livekit: [part] }) => {
      if (service.isHost || service.ports.length === 0 || !part) return;
      const [first, last] = mediaPorts(part);
      const turn = isOn(part, "turn", "enabled") ? (numberAt(part, "turn", "udp_port") ?? 0) : 0;
      const wanted = [
        [first, "udp"],
        ...(last === first ? [] : [[last, "udp"] as const]),
        [tcpPort(part), "tcp"],
        [turn, "udp"],
      ] as const;
      return wanted.map(([port, protocol]) =>
        port > 0 && !publishes(service, port, protocol)
          ? atService(
              service,
              ["ports"],
              `ports:\n  - "${port}:${port}/${protocol}"`,
              `${port}/${protocol}`,
            )
          : undefined,
      );
    }),
  },
  {
    code: "compose.ports.shifted",
    fault: "wrong",
    severity: "critical",
    title: "A media port has another number outside",
    reason: "LiveKit tells clients its own number, and they find nobody there.",
    source: issue("livekit/livekit", 679),
    find: inServices(["livekit", "sip"], (service, { livekit: [part] }) =>
      service.ports
        .filter(
          ({ host, container, protocol }) =>
            host[0] !== container[0] &&
            (protocol === "udp" || (part !== undefined && container[0] === tcpPort(part))),
        )
        .map(({ path, container: [first, last], host, protocol }) => {
          const range = first === last ? `${first}` : `${first}-${last}`;
          return atService(
            service,
            path,
            `ports:\n  - "${range}:${range}/${protocol}"`,
            `${host[0]} instead of ${first}`,
          );
        }),
    ),
  },
  {
    code: "compose.ports.many",
    fault: "slow",
    severity: "warning",
    title: "Docker publishes a large range of ports",
    reason:
      "It runs a process for each port and address family: starting takes minutes, and a hundred ports take 116 MB of memory.",
    source: issue("moby/moby", 34328),
    find: inServices(["livekit", "sip"], (service) =>
      service.ports
        .filter(({ container: [first, last] }) => last - first >= 500)
        .map(({ path, container: [first, last] }) =>
          atService(
            service,
            path,
            "network_mode: host\n# and no ports",
            `${last - first + 1} ports`,
          ),
        ),
    ),
  },
  {
    code: "signalling.public",
    fault: "insecure",
    severity: "warning",
    title: "LiveKit's own port is reached without TLS",
    reason:
      "Tokens and messages of rooms can be read on the way by whoever connects past the proxy.",
    source: docs.ports,
    find: (setup) => {
      const [part] = setup.livekit;
      const hasProxy =
        setup.caddy.length + setup.traefik.length > 0 ||
        setup.files.some(({ kind }) => kind === "nginx" || kind === "caddyfile") ||
        servicesAs(setup, "caddy").length > 0;
      if (!part || !hasProxy) return [];
      const binds = textsAt(part, "bind_addresses");
      return servicesAs(setup, "livekit").map((service) => {
        if (service.isHost)
          return binds.length > 0 && binds.every(isLocal)
            ? undefined
            : at(part, ["bind_addresses"], "bind_addresses:\n  - 127.0.0.1");
        const open = publishes(service, livekitPort(part), "tcp");
        return open && (open.address === undefined || !isLocal(open.address))
          ? atService(
              service,
              open.path,
              `ports:\n  - "127.0.0.1:${livekitPort(part)}:${livekitPort(part)}"`,
            )
          : undefined;
      });
    },
  },
  {
    code: "sysctl.buffers.small",
    fault: "slow",
    severity: "warning",
    title: "The system's buffers for UDP are small",
    reason:
      "LiveKit asks for 5 MB. With less, packets are lost when many come at once, and each loss is seen.",
    source: "https://github.com/livekit/mediatransportutil/blob/main/pkg/rtcconfig/rtc_unix.go",
    find: ({ files }) =>
      files
        .filter(({ kind }) => kind === "sysctl")
        .flatMap(({ name, text }) =>
          text.split("\n").flatMap((line, index) => {
            const [, key, value] = /^\s*(net\.core\.rmem_max)\s*=\s*(\d+)/.exec(line) ?? [];
            return key && Number(value) < 5_000_000
              ? [
                  {
                    file: name,
                    line: index + 1,
                    mend: `${key} = 5000000`,
                    subject: `${key} ${value}`,
                  },
                ]
              : [];
          }),
        ),
  },
];
