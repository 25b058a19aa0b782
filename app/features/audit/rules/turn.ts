import { isOn, listAt, numberAt, textAt, textsAt, valueAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { type Part, type Setup, servicesAs } from "../setup.ts";
import { at, inEach } from "./find.ts";
import { isPrivate, mediaPorts, overlap, type Range } from "./network.ts";
import { docs, issue, sample, sourceFile } from "./sources.ts";

const source = sourceFile("pkg/service/turn.go");

/** A rule's `find` that looks at each LiveKit whose TURN server is on. */
const withTurn = (look: Parameters<typeof inEach>[1]) =>
  inEach("livekit", (part, setup) =>
    isOn(part, "turn", "enabled") ? look(part, setup) : undefined,
  );

export const turnTlsPort = (part: Part): number =>
  isOn(part, "turn", "enabled") ? (numberAt(part, "turn", "tls_port") ?? 0) : 0;

const udpPort = (part: Part): number => numberAt(part, "turn", "udp_port") ?? 0;

const relayPorts = (part: Part): Range => {
  const [first, last] = [
    numberAt(part, "turn", "relay_range_start"),
    numberAt(part, "turn", "relay_range_end"),
  ];
  return first && last ? [first, last] : [30_000, 40_000];
};

/** As LiveKit reads a domain. */
const isDomain = (text: string): boolean => /^[a-z0-9-]+(\.[a-z0-9-]+)+\.?$/i.test(text);

const hasCertificate = (part: Part, setup: Setup): boolean =>
  Boolean(textAt(part, "turn", "cert_file") && textAt(part, "turn", "key_file")) ||
  servicesAs(setup, "livekit").some(
    ({ environment, hasEnvironmentFile }) =>
      hasEnvironmentFile || environment.LIVEKIT_TURN_CERT !== undefined,
  );

const behindProxy = "turn:\n  tls_port: 5349\n  external_tls: true";

export const turnRules: readonly Rule[] = [
  {
    code: "turn.off",
    fault: "wrong",
    severity: "warning",
    title: "There is no TURN server",
    reason:
      "Networks of offices, hotels and hospitals let little more than port 443 through. From there nobody gets into a call without TURN over TLS.",
    source: docs.deployment,
    find: inEach("livekit", (part) =>
      isOn(part, "turn", "enabled") || listAt(part, "rtc", "turn_servers").length > 0
        ? undefined
        : at(
            part,
            ["turn"],
            "turn:\n  enabled: true\n  domain: turn.example.com\n  tls_port: 5349\n  external_tls: true\n  udp_port: 3478",
          ),
    ),
  },
  {
    code: "turn.ports.missing",
    fault: "wrong",
    severity: "critical",
    title: "The TURN server has no port",
    reason: "LiveKit does not start: invalid TURN ports.",
    source,
    find: withTurn((part) =>
      turnTlsPort(part) <= 0 && udpPort(part) <= 0
        ? at(part, ["turn", "enabled"], "turn:\n  tls_port: 5349\n  udp_port: 3478")
        : undefined,
    ),
  },
  {
    code: "turn.domain.missing",
    fault: "wrong",
    severity: "critical",
    title: "TURN over TLS has no domain",
    reason: "LiveKit does not start: TURN domain required.",
    source,
    find: withTurn((part) =>
      turnTlsPort(part) > 0 && !textAt(part, "turn", "domain")
        ? at(part, ["turn", "domain"], "turn:\n  domain: turn.example.com")
        : undefined,
    ),
  },
  {
    code: "turn.domain.invalid",
    fault: "wrong",
    severity: "critical",
    title: "The domain of TURN is no domain",
    reason: "LiveKit does not start. It wants a name alone: no scheme, no port, no underscore.",
    source,
    find: withTurn((part) => {
      const domain = textAt(part, "turn", "domain");
      return domain && turnTlsPort(part) > 0 && !isDomain(domain)
        ? at(part, ["turn", "domain"], "turn:\n  domain: turn.example.com", domain)
        : undefined;
    }),
  },
  {
    code: "turn.tls.off",
    fault: "wrong",
    severity: "warning",
    title: "TURN is offered over UDP only",
    reason: "It is needed most where UDP is blocked. There only TURN over TLS on port 443 helps.",
    source: docs.deployment,
    find: withTurn((part) =>
      turnTlsPort(part) <= 0 && udpPort(part) > 0
        ? at(
            part,
            ["turn", "tls_port"],
            `turn:\n  domain: turn.example.com\n${behindProxy.slice(6)}`,
          )
        : undefined,
    ),
  },
  {
    code: "turn.certificate.missing",
    fault: "wrong",
    severity: "critical",
    title: "TURN over TLS has no certificate",
    reason:
      "LiveKit does not start: it wants cert_file and key_file, or external_tls where a proxy ends TLS.",
    source,
    find: withTurn((part, setup) =>
      turnTlsPort(part) > 0 &&
      !isOn(part, "turn", "external_tls") &&
      !hasCertificate(part, setup) &&
      !textAt(part, "turn", "secretName")
        ? at(part, ["turn", "tls_port"], behindProxy)
        : undefined,
    ),
  },
  {
    code: "turn.tls.port",
    fault: "wrong",
    severity: "critical",
    title: "TURN over TLS does not listen on 443",
    reason:
      "LiveKit gives clients turns: with port 443, whatever the file says, and nothing answers there.",
    source: docs.ports,
    find: withTurn((part, setup) => {
      const port = turnTlsPort(part);
      return port > 0 &&
        port !== 443 &&
        !part.isHelm &&
        !isOn(part, "turn", "external_tls") &&
        hasCertificate(part, setup)
        ? at(part, ["turn", "tls_port"], "turn:\n  tls_port: 443", String(port))
        : undefined;
    }),
  },
  {
    code: "turn.tls.unused-certificate",
    fault: "wrong",
    severity: "warning",
    title: "The certificate of TURN is not used",
    reason:
      "With external_tls LiveKit expects that a proxy has ended TLS, and reads plain text on that port.",
    source: sample,
    find: withTurn((part) =>
      isOn(part, "turn", "external_tls") && textAt(part, "turn", "cert_file")
        ? at(
            part,
            ["turn", "cert_file"],
            "turn:\n  external_tls: true\n  # and no cert_file, no key_file",
          )
        : undefined,
    ),
  },
  {
    code: "turn.tls.nobody",
    fault: "wrong",
    severity: "critical",
    title: "Nobody ends TLS before TURN",
    reason:
      "With external_tls a proxy has to hold port 443, and LiveKit has it: clients speak TLS to a server that speaks none.",
    source: issue("semaphore-chat/semaphore-chat", 189),
    find: withTurn((part) =>
      isOn(part, "turn", "external_tls") && turnTlsPort(part) === 443 && !part.isHelm
        ? at(part, ["turn", "tls_port"], behindProxy)
        : undefined,
    ),
  },
  {
    code: "turn.udp.low",
    fault: "wrong",
    severity: "critical",
    title: "Browsers do not use this port for TURN over UDP",
    reason: "Below 1024 they allow 53, 80 and 443 only.",
    source: sample,
    find: withTurn((part) => {
      const port = udpPort(part);
      return port > 0 && port < 1024 && ![53, 80, 443].includes(port)
        ? at(part, ["turn", "udp_port"], "turn:\n  udp_port: 3478", String(port))
        : undefined;
    }),
  },
  {
    code: "turn.udp.in-range",
    fault: "wrong",
    severity: "critical",
    title: "TURN listens in the range of media ports",
    reason: "Sooner or later a call takes that port, or TURN cannot listen.",
    source: docs.ports,
    find: withTurn((part) => {
      const port = udpPort(part);
      return port > 0 && overlap([port, port], mediaPorts(part))
        ? at(part, ["turn", "udp_port"], "turn:\n  udp_port: 3478", String(port))
        : undefined;
    }),
  },
  {
    code: "turn.relay.order",
    fault: "wrong",
    severity: "critical",
    title: "The range of relay ports ends before it begins",
    reason: "TURN can give nobody a relay.",
    source: sample,
    find: withTurn((part) => {
      const [first, last] = relayPorts(part);
      return first > last
        ? at(
            part,
            ["turn", "relay_range_start"],
            `turn:\n  relay_range_start: ${last}\n  relay_range_end: ${first}`,
          )
        : undefined;
    }),
  },
  {
    code: "turn.relay.overlap",
    fault: "wrong",
    severity: "warning",
    title: "Relays and media share ports",
    reason:
      "Each takes ports from the other, and in busy hours joining fails for no visible reason.",
    source: sample,
    find: withTurn((part) => {
      const media = mediaPorts(part);
      const relays = relayPorts(part);
      return media[0] <= media[1] && relays[0] <= relays[1] && overlap(media, relays)
        ? at(
            part,
            ["turn", "relay_range_start"],
            "turn:\n  relay_range_start: 30000\n  relay_range_end: 40000\nrtc:\n  port_range_start: 50000\n  port_range_end: 60000",
          )
        : undefined;
    }),
  },
  {
    code: "turn.peers.private",
    fault: "insecure",
    severity: "critical",
    title: "TURN relays into private networks",
    reason: "Everybody with a token of a room reaches machines there, past each firewall.",
    source: issue("livekit/livekit", 4505),
    find: withTurn((part) => {
      const allowed = textsAt(part, "turn", "allow_restricted_peer_cidrs");
      const index = allowed.findIndex((each) => each.endsWith("/0") || isPrivate(each));
      return index >= 0
        ? at(
            part,
            ["turn", "allow_restricted_peer_cidrs", index],
            "turn:\n  # and no allow_restricted_peer_cidrs\n  enabled: true",
            allowed[index],
          )
        : undefined;
    }),
  },
  {
    code: "turn.relays.unbounded",
    fault: "insecure",
    severity: "warning",
    title: "One participant may take all relays",
    reason: "Without a limit one token is enough to shut everybody else out of TURN.",
    source: issue("livekit/livekit", 4744),
    find: withTurn((part) => {
      const limit = numberAt(part, "turn", "per_user_relay_allocation_limit");
      return limit !== undefined && limit <= 0
        ? at(
            part,
            ["turn", "per_user_relay_allocation_limit"],
            "turn:\n  per_user_relay_allocation_limit: 12",
          )
        : undefined;
    }),
  },
  {
    code: "turn.proxies.everybody",
    fault: "insecure",
    severity: "warning",
    title: "Everybody may say which address they come from",
    reason:
      "proxy_protocol_trusted_cidrs names who is believed. With /0 a client can claim any address.",
    source: "https://github.com/livekit/livekit/pull/4852",
    find: withTurn((part) => {
      const trusted = textsAt(part, "turn", "proxy_protocol_trusted_cidrs");
      const index = trusted.findIndex((each) => each.endsWith("/0"));
      return index >= 0
        ? at(
            part,
            ["turn", "proxy_protocol_trusted_cidrs", index],
            'turn:\n  proxy_protocol_trusted_cidrs:\n    - 127.0.0.0/8\n    - "::1/128"',
          )
        : undefined;
    }),
  },
  {
    code: "turn.ttl",
    fault: "wrong",
    severity: "warning",
    title: "The life of TURN's credentials is not used",
    reason: "LiveKit takes 1 second to 24 hours, and otherwise its own limits.",
    source: sourceFile("pkg/config/config.go"),
    find: withTurn((part) => {
      const seconds = numberAt(part, "turn", "ttl_seconds");
      return seconds !== undefined && (seconds <= 0 || seconds > 86_400)
        ? at(part, ["turn", "ttl_seconds"], "turn:\n  ttl_seconds: 300", String(seconds))
        : undefined;
    }),
  },
];

/** The name under which TURN over TLS is reached through a proxy; undefined where no proxy is needed. */
export function proxiedTurnName(part: Part): string | undefined {
  if (turnTlsPort(part) <= 0 || !isOn(part, "turn", "external_tls")) return;
  const domain = textAt(part, "turn", "domain");
  return valueAt(part, "turn", "domain") === undefined ? undefined : domain;
}
