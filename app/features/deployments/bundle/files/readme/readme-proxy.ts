import { getsCertificates, publicNames } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { port } from "../../ports.ts";

/** How the three usual proxies pass TLS on unopened, by the name in the handshake. */
export function proxySection(options: DeploymentOptions): string {
  const names = publicNames(options).map(({ name }) => name);
  const to = `127.0.0.1:${port.proxiedHttps}`;
  const http = `127.0.0.1:${port.proxiedHttp}`;
  const automatic = getsCertificates(options);
  const only = (lines: string) => (automatic ? lines : "");
  const mapLines = names.map((name) => `    ${name} ${to};\n`).join("");
  return `## Your proxy on port 443

${
  automatic
    ? `Caddy listens on ${to} only, and on ${http} while it gets a certificate. Your proxy passes TLS on unopened, by
name, and port 80 for certificates.`
    : `Caddy listens on ${to} only. Your proxy passes TLS on unopened, by name.`
}

nginx (\`stream\` beside \`http\`; your own sites move to another port, here 127.0.0.1:9443):

\`\`\`nginx
stream {
  map $ssl_preread_server_name $target {
${mapLines}    default 127.0.0.1:9443;
  }
  server {
    listen 443;
    ssl_preread on;
    proxy_pass $target;
  }
}
${only(`http {
  server {
    listen 80;
    server_name ${names.join(" ")};
    location / {
      proxy_pass http://${http};
      proxy_set_header Host $host;
    }
  }
}
`)}\`\`\`

HAProxy:

\`\`\`haproxy
frontend tls
  mode tcp
  bind :443
  tcp-request inspect-delay 5s
  tcp-request content accept if { req.ssl_hello_type 1 }
  use_backend livekit if { req.ssl_sni -i ${names.join(" ")} }
backend livekit
  mode tcp
  server caddy ${to}
${only(`frontend plain
  mode http
  bind :80
  use_backend livekit_http if { hdr(host) -i ${names.join(" ")} }
backend livekit_http
  mode http
  server caddy ${http}
`)}\`\`\`

Traefik (file provider):

\`\`\`yaml
tcp:
  routers:
    livekit:
      entryPoints: [websecure]
      rule: ${names.map((name) => `HostSNI(\`${name}\`)`).join(" || ")}
      service: livekit
      tls: { passthrough: true }
  services:
    livekit:
      loadBalancer: { servers: [{ address: "${to}" }] }
${only(`http:
  routers:
    livekit-certificates:
      entryPoints: [web]
      rule: ${names.map((name) => `Host(\`${name}\`)`).join(" || ")}
      service: livekit-certificates
  services:
    livekit-certificates:
      loadBalancer: { servers: [{ url: "http://${http}" }] }
`)}\`\`\`
`;
}
