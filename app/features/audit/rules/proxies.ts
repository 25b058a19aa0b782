import type { AuditedFile } from "../files/audited-file.ts";
import { isList, isValueMap, valueAt } from "../files/configuration.ts";
import type { Place, Rule } from "../rule.ts";
import { type Part, type Setup, textsOf } from "../setup.ts";
import { caddyPorts, matchesName, routesOf } from "./caddy-routes.ts";
import { at, atService, hasPort } from "./find.ts";
import { livekitPort } from "./network.ts";
import { docs, issue } from "./sources.ts";
import { proxiedTurnName, turnTlsPort } from "./turn.ts";

/** Where a proxy of one kind could take TURN: its file, and whether it does. */
function proxiesOf(
  setup: Setup,
  name: string,
): { takes: boolean; place: (mend: string) => Place }[] {
  const route = (part: Part) => ({
    takes: routesOf(part).some(({ names }) => matchesName(names, name)),
    place: (mend: string) => at(part, ["apps", "layer4", "servers"], mend, name),
  });
  const plain = (file: AuditedFile) => ({
    takes: file.text.includes(name) && /layer4|\bstream\s*\{|ssl_preread/.test(file.text),
    place: (mend: string) => ({ file: file.name, line: 1, mend, subject: name }),
  });
  // A static file of Traefik's has no routers.
  const dynamic = setup.traefik.filter((part) => valueAt(part, "tcp") ?? valueAt(part, "http"));
  const traefik = dynamic.map((part) => ({
    takes: JSON.stringify(part.value).includes(`HostSNI(\`${name}\`)`),
    place: (mend: string) => at(part, ["tcp"], mend, name),
  }));
  const labels = setup.services
    .filter(({ role }) => role === "traefik")
    .map((service) => ({
      takes: setup.services.some((each) =>
        JSON.stringify(valueAt(each.at, "labels") ?? "").includes(`HostSNI(\`${name}\`)`),
      ),
      place: (mend: string) => atService(service, ["labels"], mend, name),
    }));
  return [
    ...setup.caddy.map(route),
    ...[...textsOf(setup, "nginx"), ...textsOf(setup, "caddyfile")].map(plain),
    ...traefik,
    ...labels,
  ];
}

export const proxyRules: readonly Rule[] = [
  {
    code: "proxy.turn.missing",
    fault: "wrong",
    severity: "critical",
    title: "The proxy does not hand TURN on",
    reason:
      "Clients ask for TURN over TLS on port 443, which the proxy holds. It has to tell it from HTTPS by its name, and pass it on without reading.",
    source: issue("livekit/livekit", 3595),
    find: (setup) =>
      setup.livekit.slice(0, 1).flatMap((part) => {
        const name = proxiedTurnName(part);
        if (!name) return [];
        const proxies = proxiesOf(setup, name);
        if (proxies.length === 0 || proxies.some(({ takes }) => takes)) return [];
        const port = turnTlsPort(part);
        return proxies
          .slice(0, 1)
          .map(({ place }) =>
            place(
              `# Caddy with layer 4; nginx does the same with stream and ssl_preread.\n- match:\n    - tls: {sni: [${name}]}\n  handle:\n    - handler: tls\n    - handler: proxy\n      upstreams:\n        - dial: ["127.0.0.1:${port}"]`,
            ),
          );
      }),
  },
  {
    code: "proxy.livekit.port",
    fault: "wrong",
    severity: "critical",
    title: "The proxy does not lead to LiveKit's port",
    reason: "Each join ends with 502: could not establish signal connection.",
    source: docs.ports,
    find: (setup) => {
      const [livekit] = setup.livekit;
      if (!livekit) return [];
      const port = livekitPort(livekit);
      const caddies = setup.caddy.filter(
        (part) => caddyPorts(part).length > 0 && !caddyPorts(part).includes(port),
      );
      const plain = [...textsOf(setup, "nginx"), ...textsOf(setup, "caddyfile")].filter(
        ({ text }) => /proxy_pass\s+http|reverse_proxy\s/.test(text) && !hasPort(text, port),
      );
      const label = /traefik\.http\.services\.[\w-]+\.loadbalancer\.server\.port[=:]\s*"?(\d+)/;
      return [
        ...caddies.map((part) =>
          at(
            part,
            ["apps", "layer4", "servers"],
            `upstreams:\n  - dial: ["127.0.0.1:${port}"]`,
            `${port}`,
          ),
        ),
        ...plain.map(({ name, kind }) => ({
          file: name,
          line: 1,
          mend:
            kind === "nginx"
              ? `proxy_pass http://127.0.0.1:${port};`
              : `reverse_proxy 127.0.0.1:${port}`,
          subject: `${port}`,
        })),
        ...setup.services
          .filter(({ role }) => role === "livekit")
          .map((service) => {
            const labels = valueAt(service.at, "labels");
            const lines = isValueMap(labels)
              ? Object.entries(labels).map(([name, value]) => `${name}=${value}`)
              : isList(labels)
                ? labels.map(String)
                : [];
            const named = lines
              .map((each) => label.exec(each)?.[1])
              .find((each) => each !== undefined);
            return named !== undefined && Number(named) !== port
              ? atService(
                  service,
                  ["labels"],
                  `labels:\n  - traefik.http.services.livekit.loadbalancer.server.port=${port}`,
                  named,
                )
              : undefined;
          }),
      ];
    },
  },
  {
    code: "traefik.api.public",
    fault: "insecure",
    severity: "critical",
    title: "Traefik's dashboard is open",
    reason: "With api.insecure everybody sees all routes, services and versions.",
    source: "https://doc.traefik.io/traefik/operations/api/",
    find: (setup) => [
      ...setup.services
        .filter(
          ({ role, command }) => role === "traefik" && /--api\.insecure(=true|\s|$)/.test(command),
        )
        .map((service) => atService(service, ["command"], 'command:\n  - "--api.insecure=false"')),
      ...setup.traefik
        .filter((part) => valueAt(part, "api", "insecure") === true)
        .map((part) => at(part, ["api", "insecure"], "api:\n  insecure: false")),
    ],
  },
];
