import { isList, isValueMap, listAt, mapAt, textAt, textsAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { matchesName, routesOf } from "./caddy-routes.ts";
import { at, inEach } from "./find.ts";
import { livekitPort } from "./network.ts";
import { docs, issue } from "./sources.ts";
import { proxiedTurnName, turnTlsPort } from "./turn.ts";

const isPublicListener = (address: string): boolean =>
  !/^(localhost|127\.|\[?::1\]?)/.test(address);

export const caddyRules: readonly Rule[] = [
  {
    code: "caddy.turn.port",
    fault: "wrong",
    severity: "critical",
    title: "Caddy hands TURN to another port than LiveKit has",
    reason: "TURN over TLS reaches nobody, and with it clients in closed networks.",
    source: issue("livekit/livekit", 3971),
    find: inEach("caddy", (part, { livekit: [livekit] }) => {
      const name = livekit && proxiedTurnName(livekit);
      if (!livekit || !name) return;
      const port = turnTlsPort(livekit);
      const route = routesOf(part).find(({ names }) => names.includes(name));
      return route && route.ports.length > 0 && !route.ports.includes(port)
        ? at(part, route.path, `upstreams:\n  - dial: ["127.0.0.1:${port}"]`, `${route.ports[0]}`)
        : undefined;
    }),
  },
  {
    code: "caddy.turn.tls",
    fault: "wrong",
    severity: "critical",
    title: "Caddy hands TURN on without ending TLS",
    reason: "With external_tls LiveKit reads plain text there, and understands nothing.",
    source: docs.deployment,
    find: inEach("caddy", (part, { livekit: [livekit] }) => {
      const name = livekit && proxiedTurnName(livekit);
      const route = routesOf(part).find(({ names }) => name !== undefined && names.includes(name));
      return route && !route.endsTls
        ? at(part, route.path, "handle:\n  - handler: tls\n  - handler: proxy", name)
        : undefined;
    }),
  },
  {
    code: "caddy.alpn",
    fault: "wrong",
    severity: "critical",
    title: "Caddy offers HTTP/2 for LiveKit",
    reason:
      "Layer 4 passes bytes on to a server of HTTP/1.1. Clients that take HTTP/2 cannot join.",
    source: issue("livekit/livekit", 1192),
    find: inEach("caddy", (part, { livekit: [livekit] }) => {
      const port = livekit ? livekitPort(livekit) : 7880;
      return routesOf(part)
        .filter(
          ({ ports, endsTls, alpn }) =>
            endsTls && ports.includes(port) && (alpn === undefined || alpn.includes("h2")),
        )
        .map(({ path, names }) =>
          at(
            part,
            path,
            'handle:\n  - handler: tls\n    connection_policies:\n      - alpn: ["http/1.1"]',
            names[0],
          ),
        );
    }),
  },
  {
    code: "caddy.certificate.missing",
    fault: "wrong",
    severity: "critical",
    title: "Caddy gets no certificate for a name",
    reason:
      "Browsers refuse the connection. In layer 4 Caddy asks only for names that tls.certificates.automate has.",
    source: docs.vm,
    find: inEach("caddy", (part) => {
      const tls = mapAt(part, "apps", "tls", "certificates");
      if (["load_files", "load_folders", "load_pem"].some((each) => tls[each] !== undefined))
        return;
      const subjects = listAt(part, "apps", "tls", "automation", "policies").flatMap((each) =>
        isValueMap(each) && isList(each.subjects) ? each.subjects.map(String) : [],
      );
      const automated = [...textsAt(part, "apps", "tls", "certificates", "automate"), ...subjects];
      return routesOf(part)
        .filter(({ endsTls }) => endsTls)
        .flatMap(({ path, names }) =>
          names
            .filter((name) => !matchesName(automated, name))
            .map((name) =>
              at(
                part,
                path,
                `apps:\n  tls:\n    certificates:\n      automate:\n        - ${name}`,
                name,
              ),
            ),
        );
    }),
  },
  {
    code: "caddy.admin.public",
    fault: "insecure",
    severity: "critical",
    title: "Caddy's admin endpoint is open",
    reason: "Whoever reaches it can change where everything leads, without a password.",
    source: "https://caddyserver.com/docs/api",
    find: inEach("caddy", (part) => {
      const address = textAt(part, "admin", "listen");
      return address && isPublicListener(address) && !address.startsWith("unix/")
        ? at(part, ["admin", "listen"], "admin:\n  disabled: true", address)
        : undefined;
    }),
  },
  {
    code: "caddy.email.missing",
    fault: "wrong",
    severity: "warning",
    title: "The certificate authority has no address of yours",
    reason:
      "It cannot write to you, and Caddy cannot ask ZeroSSL when Let's Encrypt gives no certificate.",
    source: "https://caddyserver.com/docs/automatic-https",
    find: inEach("caddy", (part) => {
      if (textsAt(part, "apps", "tls", "certificates", "automate").length === 0) return;
      const issuers = listAt(part, "apps", "tls", "automation", "policies").flatMap((each) =>
        isValueMap(each) && isList(each.issuers) ? each.issuers.filter(isValueMap) : [],
      );
      return issuers.some(({ email }) => email)
        ? undefined
        : at(
            part,
            ["apps", "tls", "automation"],
            "apps:\n  tls:\n    automation:\n      policies:\n        - issuers:\n            - module: acme\n              email: you@example.com",
          );
    }),
  },
  {
    code: "caddy.zerossl.key",
    fault: "wrong",
    severity: "critical",
    title: "ZeroSSL has no API key",
    reason: "Caddy gets no certificate from it.",
    source: "https://caddyserver.com/docs/json/apps/tls/automation/policies/issuers/zerossl/",
    find: inEach("caddy", (part) =>
      listAt(part, "apps", "tls", "automation", "policies").flatMap((policy, index) =>
        (isValueMap(policy) && isList(policy.issuers) ? policy.issuers : []).map((each, place) =>
          isValueMap(each) && each.module === "zerossl" && !each.api_key
            ? at(
                part,
                ["apps", "tls", "automation", "policies", index, "issuers", place],
                "issuers:\n  - module: acme\n    ca: https://acme.zerossl.com/v2/DV90\n    email: you@example.com",
              )
            : undefined,
        ),
      ),
    ),
  },
];
