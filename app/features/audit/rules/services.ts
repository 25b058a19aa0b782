import { isOn, numberAt, textAt, valueAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { servicesAs } from "../setup.ts";
import { at, inEach } from "./find.ts";
import { isLocal, livekitPort, mediaPorts, overlap, type Range } from "./network.ts";
import { docs, issue, pull } from "./sources.ts";

export const addressOf = (
  url: string,
): { scheme: string; host: string; port: number | undefined } => {
  const [, scheme = "", host = "", port] =
    /^(\w+):\/\/(\[[^\]]*\]|[^:/]*)(?::(\d+))?/.exec(url) ?? [];
  return { scheme: scheme.toLowerCase(), host, port: port ? Number(port) : undefined };
};

export const serviceRules: readonly Rule[] = [
  {
    code: "services.ws-url.missing",
    fault: "wrong",
    severity: "critical",
    title: "A service does not know where LiveKit is",
    reason: "It starts, takes work, and fails at each room: Start signal not received.",
    source: issue("livekit/egress", 911),
    find: inEach(["egress", "ingress", "sip"], (part, { services }) =>
      textAt(part, "ws_url") ||
      services.some(
        ({ environment, hasEnvironmentFile }) => hasEnvironmentFile || environment.LIVEKIT_WS_URL,
      )
        ? undefined
        : at(part, ["ws_url"], "ws_url: ws://127.0.0.1:7880"),
    ),
  },
  {
    code: "services.ws-url.port",
    fault: "wrong",
    severity: "critical",
    title: "A service asks for LiveKit at another port",
    reason: "Nobody answers there, so that no recording, stream or call by telephone begins.",
    source: issue("livekit/egress", 827),
    find: inEach(["egress", "ingress", "sip"], (part, { livekit: [livekit], services }) => {
      const { host, port, scheme } = addressOf(textAt(part, "ws_url") ?? "");
      if (!livekit || !/^wss?$/.test(scheme)) return;
      const isOurs =
        isLocal(host) || services.some(({ name, role }) => role === "livekit" && name === host);
      const wanted = livekitPort(livekit);
      return isOurs && port !== wanted
        ? at(part, ["ws_url"], `ws_url: ${scheme}://${host}:${wanted}`, `${port ?? "no port"}`)
        : undefined;
    }),
  },
  {
    code: "ingress.ports.off",
    fault: "wrong",
    severity: "critical",
    title: "Ingress takes neither RTMP nor WHIP",
    reason: "Both ports are off, so that no stream comes in.",
    source: docs.ingress,
    find: inEach("ingress", (part) =>
      (numberAt(part, "rtmp_port") ?? 0) < 0 && (numberAt(part, "whip_port") ?? 0) < 0
        ? at(part, ["rtmp_port"], "rtmp_port: 1935\nwhip_port: 8080")
        : undefined,
    ),
  },
  {
    code: "ingress.rtc.overlap",
    fault: "wrong",
    severity: "critical",
    title: "Ingress and LiveKit share media ports",
    reason: "On one machine the second of them cannot listen.",
    source: docs.ingress,
    find: inEach("ingress", (part, { livekit: [livekit], services }) => {
      if (!livekit || services.some(({ isHost }) => !isHost)) return;
      const port = numberAt(part, "rtc_config", "udp_port");
      const start = numberAt(part, "rtc_config", "port_range_start");
      const ports: Range | undefined = start
        ? [start, numberAt(part, "rtc_config", "port_range_end") ?? start]
        : port
          ? [port, port]
          : undefined;
      return ports && overlap(ports, mediaPorts(livekit))
        ? at(part, ["rtc_config"], "rtc_config:\n  udp_port: 7885", `${ports[0]}`)
        : undefined;
    }),
  },
  {
    code: "ingress.whip.address",
    fault: "wrong",
    severity: "critical",
    title: "Ingress does not learn its public address",
    reason: "Encoders that send by WHIP get its own address, which nobody reaches behind NAT.",
    source: issue("livekit/livekit", 3979),
    find: inEach("ingress", (part, setup) =>
      (numberAt(part, "whip_port") ?? 8080) > 0 &&
      !isOn(part, "rtc_config", "use_external_ip") &&
      valueAt(part, "rtc_config", "node_ip") === undefined &&
      !servicesAs(setup, "ingress").some(
        ({ hasEnvironmentFile, command }) => hasEnvironmentFile || /NODE_IP/.test(command),
      )
        ? at(part, ["rtc_config"], "rtc_config:\n  udp_port: 7885\n  use_external_ip: true")
        : undefined,
    ),
  },
  {
    code: "sip.address.missing",
    fault: "wrong",
    severity: "critical",
    title: "SIP does not learn its public address",
    reason:
      "The provider sends sound to the machine's own address: callers are heard by nobody, or hear nobody.",
    source: docs.sip,
    find: inEach("sip", (part, setup) =>
      servicesAs(setup, "sip").some(({ hasEnvironmentFile }) => hasEnvironmentFile) ||
      isOn(part, "use_external_ip") ||
      textAt(part, "nat_1_to_1_ip") ||
      textAt(part, "media_nat_1_to_1_ip") ||
      isOn(part, "media_use_external_ip") ||
      textAt(part, "local_net")
        ? undefined
        : at(part, ["use_external_ip"], "use_external_ip: true"),
    ),
  },
  {
    code: "sip.address.both",
    fault: "wrong",
    severity: "critical",
    title: "SIP has two ways to its public address",
    reason: "It does not start: use_external_ip and nat_1_to_1_ip exclude each other.",
    source: "https://github.com/livekit/sip/blob/main/pkg/config/config.go",
    find: inEach("sip", (part) =>
      isOn(part, "use_external_ip") && textAt(part, "nat_1_to_1_ip")
        ? at(part, ["nat_1_to_1_ip"], "use_external_ip: true\n# and no nat_1_to_1_ip")
        : undefined,
    ),
  },
  {
    code: "sip.port.visible",
    fault: "insecure",
    severity: "warning",
    title: "SIP answers scanners",
    reason: "They find port 5060 within minutes, and try numbers for as long as something answers.",
    source: pull("livekit/sip", 369),
    find: inEach("sip", (part) =>
      isOn(part, "hide_inbound_port")
        ? undefined
        : at(part, ["hide_inbound_port"], "hide_inbound_port: true"),
    ),
  },
  {
    code: "sip.rtp.overlap",
    fault: "wrong",
    severity: "critical",
    title: "SIP and LiveKit share media ports",
    reason: "Sooner or later both want the same one, and a call has no sound.",
    source: docs.ports,
    find: inEach("sip", (part, { livekit: [livekit] }) => {
      const [, first, last] = /^(\d+)-(\d+)$/.exec(textAt(part, "rtp_port") ?? "10000-20000") ?? [];
      if (!livekit || !first || !last) return;
      return overlap([Number(first), Number(last)], mediaPorts(livekit))
        ? at(part, ["rtp_port"], "rtp_port: 10000-20000", `${first}-${last}`)
        : undefined;
    }),
  },
];
