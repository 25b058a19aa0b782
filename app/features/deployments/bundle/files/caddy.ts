import type { BundleFile } from "../bundle-types.ts";
import { hasFamily, publicNames } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";

/**
 * By number: LiveKit gives a TURN relay of the family that it was dialled in, and refuses one that the machine lacks.
 * "localhost" may be either.
 */
function upstreamsOf(options: DeploymentOptions) {
  const turn = hasFamily(options, "ipv4") ? "127.0.0.1" : "[::1]";
  return {
    livekit: `127.0.0.1:${port.livekit}`,
    turn: `${turn}:${port.turnTls}`,
    whip: `127.0.0.1:${port.whip}`,
  };
}

/**
 * Caddy with its layer 4 module: connections on 443 are told apart by the name they ask for.
 * Its YAML adapter runs templates between `#{` and `}`, so no option may hold that sequence.
 */
export function caddy(options: DeploymentOptions): BundleFile[] {
  const names = publicNames(options);
  const upstreams = upstreamsOf(options);
  const behindProxy = options.proxy === "existing";
  const routes = (["livekit", "turn", "whip"] as const).flatMap((service) => {
    const sni = names.filter((name) => name.service === service).map(({ name }) => name);
    if (sni.length === 0) return [];
    const http = service !== "turn";
    return [
      {
        match: [{ tls: { sni } }],
        handle: [
          // Caddy passes bytes on without reading them, so no client may speak HTTP/2 here.
          { handler: "tls", connection_policies: http ? [{ alpn: ["http/1.1"] }] : undefined },
          { handler: "proxy", upstreams: [{ dial: [upstreams[service]] }] },
        ],
      },
    ];
  });
  const content = yamlDocument({
    admin: { disabled: true },
    logging: { logs: { default: { level: "INFO" } } },
    storage: { module: "file_system", root: "/data" },
    apps: {
      tls: {
        certificates: { automate: names.map(({ name }) => name) },
        automation: {
          policies: [
            {
              issuers: [
                {
                  module: "acme",
                  email: options.email,
                  challenges: behindProxy
                    ? {
                        bind_host: "127.0.0.1",
                        http: { alternate_port: port.proxiedHttp },
                        "tls-alpn": { alternate_port: port.proxiedHttps },
                      }
                    : undefined,
                },
              ],
            },
          ],
        },
      },
      layer4: {
        servers: {
          main: {
            listen: [behindProxy ? `127.0.0.1:${port.proxiedHttps}` : `:${port.https}`],
            routes,
          },
        },
      },
    },
  });
  return [
    {
      path: "caddy.yaml",
      content,
      language: "yaml",
      purpose: "Certificates, and who answers to which name on port 443.",
      installed: inOptLivekit("caddy.yaml"),
    },
  ];
}
