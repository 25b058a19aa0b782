import type { BundleFile } from "../bundle-types.ts";
import { getsCertificates, hasFamily, publicNames } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { type YamlMap, yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";

/**
 * The addresses of LiveKit behind Caddy. They are numbers, because "localhost" may be IPv4 or IPv6: LiveKit gives a client
 * of TURN a relay in the address family of the connection, and fails when the machine does not have that family.
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
 * Let's Encrypt, and where it gives no certificate ZeroSSL. For that Caddy gets the key of an account by itself, with the
 * email address. Both ask the machine in the same ways.
 */
function issuersOf({ email, proxy }: DeploymentOptions): YamlMap[] {
  const challenges =
    proxy === "existing"
      ? {
          bind_host: "127.0.0.1",
          http: { alternate_port: port.proxiedHttp },
          "tls-alpn": { alternate_port: port.proxiedHttps },
        }
      : undefined;
  return [
    { module: "acme", email, challenges },
    { module: "acme", ca: "https://acme.zerossl.com/v2/DV90", email, challenges },
  ];
}

/**
 * Caddy with its layer 4 module, which routes a connection on 443 by the name in its TLS handshake (SNI).
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
          // Caddy passes bytes on to an HTTP/1.1 server without reading them, so it must not offer HTTP/2.
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
      tls: getsCertificates(options)
        ? {
            certificates: { automate: names.map(({ name }) => name) },
            automation: { policies: [{ issuers: issuersOf(options) }] },
          }
        : { certificates: { load_folders: ["/data/given"] } },
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
