import {
  isOn,
  isValueMap,
  listAt,
  numberAt,
  textAt,
  textsAt,
  valueAt,
} from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { type Part, type Setup, servicesAs } from "../setup.ts";
import { at, inEach } from "./find.ts";
import { docs, issue, sample, sourceFile } from "./sources.ts";

export type Range = readonly [number, number];

/** The UDP ports of media: one, several or LiveKit's own range. */
export function mediaPorts(part: Part): Range {
  const [, first, last = first] =
    /^(\d+)(?:-(\d+))?$/.exec(textAt(part, "rtc", "udp_port") ?? "") ?? [];
  const start = numberAt(part, "rtc", "port_range_start");
  if (start) return [start, numberAt(part, "rtc", "port_range_end") ?? start];
  if (first !== undefined && Number(first) > 0) return [Number(first), Number(last)];
  return isOn(part, "development") ? [7882, 7882] : [50_000, 60_000];
}

export const tcpPort = (part: Part): number => numberAt(part, "rtc", "tcp_port") ?? 7881;
export const livekitPort = (part: Part): number => numberAt(part, "port") ?? 7880;

export const overlap = (one: Range, other: Range): boolean =>
  one[0] <= other[1] && other[0] <= one[1];

const privateAddress =
  /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][0-9a-f]{2}:|fe80:|::1$)/i;

export const isPrivate = (address: string): boolean => privateAddress.test(address);

export const isLocal = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

const nodeAddress = (part: Part): string | undefined =>
  textAt(part, "rtc", "node_ip") ?? textAt(part, "rtc", "node_ip", "ipv4");

/** Whether a service of Compose gives LiveKit its address in a way that the file does not show. */
const getsAddress = (setup: Setup): boolean =>
  servicesAs(setup, "livekit").some(
    ({ environment, hasEnvironmentFile, command }) =>
      hasEnvironmentFile || environment.NODE_IP !== undefined || /--node-ip|NODE_IP/.test(command),
  );

const isBridged = (setup: Setup): boolean =>
  servicesAs(setup, "livekit").some(({ isHost }) => !isHost);
const isOnHost = (setup: Setup): boolean =>
  servicesAs(setup, "livekit").some(({ isHost }) => isHost);

const hasAddress = (part: Part): boolean =>
  isOn(part, "rtc", "use_external_ip") || nodeAddress(part) !== undefined;

export const networkRules: readonly Rule[] = [
  {
    code: "rtc.address.unknown",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit does not learn its public address",
    reason:
      "It gives clients the machine's own addresses. Behind NAT, as at AWS, Google and Azure, nobody reaches those: could not establish pc connection.",
    source: issue("livekit/livekit", 3516),
    find: inEach("livekit", (part, setup) =>
      hasAddress(part) || getsAddress(setup) || isBridged(setup)
        ? undefined
        : at(part, ["rtc", "use_external_ip"], "rtc:\n  use_external_ip: true"),
    ),
  },
  {
    code: "rtc.address.bridge",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit gives clients its container's address",
    reason:
      "On Docker's bridge its own address is one such as 172.18.0.2, which nobody outside reaches.",
    source: issue("livekit/livekit", 3747),
    find: inEach("livekit", (part, setup) =>
      hasAddress(part) || getsAddress(setup) || !isBridged(setup)
        ? undefined
        : at(part, ["rtc", "use_external_ip"], "rtc:\n  use_external_ip: true"),
    ),
  },
  {
    code: "rtc.address.private",
    fault: "wrong",
    severity: "critical",
    title: "node_ip is a private address",
    reason: "Only clients in the same network can reach it.",
    source: issue("livekit/livekit", 3353),
    find: inEach("livekit", (part) => {
      const address = nodeAddress(part);
      if (!address || !isPrivate(address) || isOn(part, "rtc", "use_external_ip")) return;
      return at(part, ["rtc", "node_ip"], "rtc:\n  node_ip: THE_PUBLIC_ADDRESS", address);
    }),
  },
  {
    code: "rtc.address.ignored",
    fault: "wrong",
    severity: "warning",
    title: "node_ip is not used, because use_external_ip is on",
    reason: "LiveKit asks a STUN server instead, and does not start where none answers.",
    source: issue("livekit/livekit", 4049),
    find: inEach("livekit", (part) =>
      isOn(part, "rtc", "use_external_ip") && nodeAddress(part)
        ? at(
            part,
            ["rtc", "node_ip"],
            `rtc:\n  node_ip: ${nodeAddress(part)}\n  use_external_ip: false`,
          )
        : undefined,
    ),
  },
  {
    code: "rtc.ports.both",
    fault: "wrong",
    severity: "warning",
    title: "Both udp_port and a range of ports are set",
    reason: "LiveKit uses one of them, so the firewall is open for ports that nobody uses.",
    source: docs.ports,
    find: inEach("livekit", (part) =>
      textAt(part, "rtc", "udp_port") && numberAt(part, "rtc", "port_range_start")
        ? at(
            part,
            ["rtc", "udp_port"],
            "rtc:\n  port_range_start: 50000\n  port_range_end: 60000\n  # and no udp_port",
          )
        : undefined,
    ),
  },
  {
    code: "rtc.ports.order",
    fault: "wrong",
    severity: "critical",
    title: "The range of media ports ends before it begins",
    reason: "LiveKit has no port for media, so nobody hears or sees anybody.",
    source: docs.ports,
    find: inEach("livekit", (part) => {
      const [first, last] = mediaPorts(part);
      return first > last
        ? at(
            part,
            ["rtc", "port_range_start"],
            `rtc:\n  port_range_start: ${last}\n  port_range_end: ${first}`,
            `${first}–${last}`,
          )
        : undefined;
    }),
  },
  {
    code: "rtc.ports.few",
    fault: "wrong",
    severity: "warning",
    title: "The range has few media ports",
    reason: "Each participant takes two. Whoever comes when none is left is not heard or seen.",
    source: docs.ports,
    find: inEach("livekit", (part) => {
      if (!numberAt(part, "rtc", "port_range_start")) return;
      const [first, last] = mediaPorts(part);
      const ports = last - first + 1;
      return ports > 0 && ports < 100
        ? at(
            part,
            ["rtc", "port_range_end"],
            "rtc:\n  port_range_start: 50000\n  port_range_end: 60000",
            `${ports} ports, for ${Math.floor(ports / 2)} people`,
          )
        : undefined;
    }),
  },
  {
    code: "rtc.tcp.off",
    fault: "wrong",
    severity: "warning",
    title: "Media over TCP is off",
    reason:
      "Clients in networks that let no UDP through have one way less: in offices, hotels and hospitals.",
    source: docs.ports,
    find: inEach("livekit", (part) => {
      if (numberAt(part, "rtc", "tcp_port") === 0)
        return at(part, ["rtc", "tcp_port"], "rtc:\n  tcp_port: 7881");
      if (valueAt(part, "rtc", "allow_tcp_fallback") === false)
        return at(part, ["rtc", "allow_tcp_fallback"], "rtc:\n  allow_tcp_fallback: true");
      return;
    }),
  },
  {
    code: "rtc.tcp.low",
    fault: "wrong",
    severity: "critical",
    title: "Browsers do not connect to this port for media over TCP",
    reason: "Below 1024 they allow 80 and 443 only.",
    source: sample,
    find: inEach("livekit", (part) => {
      const port = tcpPort(part);
      return port > 0 && port < 1024 && port !== 80 && port !== 443
        ? at(part, ["rtc", "tcp_port"], "rtc:\n  tcp_port: 7881", String(port))
        : undefined;
    }),
  },
  {
    code: "rtc.tcp.forced",
    fault: "slow",
    severity: "critical",
    title: "All media goes over TCP",
    reason:
      "force_tcp is for tests. With a lost packet each call stands still until it came again.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part) =>
      isOn(part, "rtc", "force_tcp")
        ? at(part, ["rtc", "force_tcp"], "rtc:\n  force_tcp: false")
        : undefined,
    ),
  },
  {
    code: "rtc.loopback",
    fault: "slow",
    severity: "warning",
    title: "LiveKit offers its loopback address to clients",
    reason: "No client reaches it. Each tries it first, which makes joining slower.",
    source: issue("livekit/livekit", 1160),
    find: inEach("livekit", (part) =>
      isOn(part, "rtc", "enable_loopback_candidate")
        ? at(part, ["rtc", "enable_loopback_candidate"], "rtc:\n  enable_loopback_candidate: false")
        : undefined,
    ),
  },
  {
    code: "rtc.mdns",
    fault: "wrong",
    severity: "warning",
    title: "LiveKit uses names of the local network",
    reason:
      "Names that end in .local are found in one network only, and looking for them takes time.",
    source: "https://github.com/livekit/mediatransportutil/blob/main/pkg/rtcconfig/config.go",
    find: inEach("livekit", (part) =>
      isOn(part, "rtc", "use_mdns")
        ? at(part, ["rtc", "use_mdns"], "rtc:\n  use_mdns: false")
        : undefined,
    ),
  },
  {
    code: "rtc.interfaces.docker",
    fault: "slow",
    severity: "warning",
    title: "Docker's bridge is offered to clients",
    reason:
      "On the host's network LiveKit also takes docker0. It asks for that address's way to the internet when it starts, and clients try an address that leads nowhere.",
    source: issue("livekit/livekit", 1876),
    find: inEach("livekit", (part, setup) => {
      if (!isOnHost(setup)) return;
      const excluded = textsAt(part, "rtc", "interfaces", "excludes");
      if (excluded.length > 0 || valueAt(part, "rtc", "interfaces", "includes")) return;
      if (valueAt(part, "rtc", "ips")) return;
      return at(part, ["rtc", "interfaces"], "rtc:\n  interfaces:\n    excludes:\n      - docker0");
    }),
  },
  {
    code: "rtc.stun.scheme",
    fault: "wrong",
    severity: "critical",
    title: "A STUN server is written with its scheme",
    reason: "LiveKit puts stun: before each, so that clients get stun:stun: and refuse to connect.",
    source: sourceFile("pkg/service/roommanager.go"),
    find: inEach("livekit", (part) => {
      const servers = textsAt(part, "rtc", "stun_servers");
      const index = servers.findIndex((each) => /^stuns?:/.test(each));
      return index >= 0
        ? at(
            part,
            ["rtc", "stun_servers", index],
            `rtc:\n  stun_servers:\n    - ${servers[index]?.replace(/^stuns?:(\/\/)?/, "")}`,
          )
        : undefined;
    }),
  },
  {
    code: "rtc.turn-servers.credentials",
    fault: "wrong",
    severity: "critical",
    title: "A TURN server of your own has no credentials",
    reason: "LiveKit does not start: it needs a secret, or a username and a credential.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part) =>
      listAt(part, "rtc", "turn_servers").map((server, index) => {
        if (!isValueMap(server)) return undefined;
        const { secret, secret_file, credentials_file, username, credential } = server;
        if (secret || secret_file || credentials_file || (username && credential)) return undefined;
        return at(
          part,
          ["rtc", "turn_servers", index],
          "rtc:\n  turn_servers:\n    - host: turn.example.com\n      port: 5349\n      protocol: tls\n      secret: THE_SHARED_SECRET",
          String(server.host ?? ""),
        );
      }),
    ),
  },
  {
    code: "rtc.congestion.off",
    fault: "slow",
    severity: "warning",
    title: "Congestion control is off",
    reason:
      "LiveKit goes on sending more than a thin connection carries: pictures freeze instead of getting smaller.",
    source: sample,
    find: inEach("livekit", (part) =>
      valueAt(part, "rtc", "congestion_control", "enabled") === false
        ? at(
            part,
            ["rtc", "congestion_control", "enabled"],
            "rtc:\n  congestion_control:\n    enabled: true",
          )
        : undefined,
    ),
  },
  {
    code: "rtc.congestion.pacer",
    fault: "wrong",
    severity: "critical",
    title: "There is no pacer of this name",
    reason: "LiveKit does not start.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part) => {
      const path = ["rtc", "congestion_control", "send_side_bwe_pacer"];
      const pacer = textAt(part, ...path);
      return pacer && !["pass-through", "no-queue", "leaky-bucket"].includes(pacer)
        ? at(part, path, "rtc:\n  congestion_control:\n    send_side_bwe_pacer: no-queue", pacer)
        : undefined;
    }),
  },
  {
    code: "rtc.buffer.small",
    fault: "slow",
    severity: "warning",
    title: "Few packets can be sent again",
    reason:
      "What a client lost is asked for once more. With less than 100 packets of video it is gone by then.",
    source: sample,
    find: inEach("livekit", (part) => {
      const path = ["rtc", "packet_buffer_size_video"];
      const size = numberAt(part, ...path);
      return size !== undefined && size < 100
        ? at(part, path, "rtc:\n  packet_buffer_size_video: 500", String(size))
        : undefined;
    }),
  },
];
