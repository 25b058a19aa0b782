import { issuers, type Plant, replace, routeTo, setService } from "./plant.ts";

export const proxiesPlants: Readonly<Record<string, readonly Plant[]>> = {
  "caddy.storage.missing": [setService("caddy", ["volumes"], ["./caddy.yaml:/etc/caddy.yaml:ro"])],
  "caddy.layer4.missing": [
    (scene) => {
      scene.needs(scene.has("caddy"));
      scene.setService("caddy", ["image"], "caddy:2.11-alpine");
    },
  ],
  "proxy.turn.missing": [
    (scene) => {
      const [name] = [scene.get("livekit", "turn", "domain")];
      scene.set("caddy", routeTo(scene, 5349), {
        match: [{ tls: { sni: ["other.acme.test"] } }],
        handle: [],
      });
      scene.needs(name);
    },
    (scene) => {
      scene.needs(scene.get("livekit", "turn", "enabled"));
      scene.replace("nginx", /^stream \{[\s\S]*?^\}\n/m, "");
    },
    (scene) => {
      const { name } = scene.service("traefik");
      scene.needs(name);
      scene.setService(
        "livekit",
        ["labels"],
        ["traefik.http.services.livekit.loadbalancer.server.port=7880"],
      );
    },
  ],
  "proxy.livekit.port": [
    (scene) => {
      const path = routeTo(scene, 7880);
      scene.set("caddy", [...path, "handle", 1, "upstreams"], [{ dial: ["127.0.0.1:7788"] }]);
    },
    replace("caddyfile", "127.0.0.1:7880", "127.0.0.1:8880"),
    (scene) => {
      scene.needs(scene.service("traefik"));
      const labels = scene.get("compose", "services", "livekit", "labels") as string[];
      scene.setService(
        "livekit",
        ["labels"],
        labels.map((each) => each.replace("port=7880", "port=80")),
      );
    },
  ],
  "caddy.turn.port": [
    (scene) => {
      const path = routeTo(scene, 5349);
      scene.set("caddy", [...path, "handle", 1, "upstreams"], [{ dial: ["127.0.0.1:3478"] }]);
    },
  ],
  "caddy.turn.tls": [
    (scene) => {
      const path = routeTo(scene, 5349);
      scene.set(
        "caddy",
        [...path, "handle"],
        [{ handler: "proxy", upstreams: [{ dial: ["127.0.0.1:5349"] }] }],
      );
    },
  ],
  "caddy.alpn": [
    (scene) => {
      const path = routeTo(scene, 7880);
      scene.set("caddy", [...path, "handle", 0], { handler: "tls" });
    },
    (scene) => {
      const path = routeTo(scene, 7880);
      scene.set(
        "caddy",
        [...path, "handle", 0, "connection_policies"],
        [{ alpn: ["h2", "http/1.1"] }],
      );
    },
  ],
  "caddy.certificate.missing": [
    (scene) => {
      scene.needs(scene.has("caddy"));
      scene.remove("caddy", "apps", "tls", "certificates", "automate", 1);
    },
  ],
  "caddy.admin.public": [
    (scene) => {
      scene.needs(scene.has("caddy"));
      scene.set("caddy", ["admin"], { listen: "0.0.0.0:2019" });
    },
    (scene) => {
      scene.needs(scene.has("caddy"));
      scene.set("caddy", ["admin"], { listen: ":2019" });
    },
  ],
  "caddy.email.missing": [
    (scene) => {
      scene.needs(scene.has("caddy"));
      issuers([{ module: "acme" }])(scene);
    },
    (scene) => {
      scene.needs(scene.has("caddy"));
      scene.remove("caddy", "apps", "tls", "automation");
    },
  ],
  "caddy.zerossl.key": [
    (scene) => {
      scene.needs(scene.has("caddy"));
      issuers([{ module: "acme", email: "ops@acme.test" }, { module: "zerossl" }])(scene);
    },
  ],
  "nginx.upgrade.missing": [replace("nginx", /^\s*proxy_set_header Upgrade .*\n/m, "")],
  "nginx.http.version": [
    replace("nginx", /^\s*proxy_http_version 1.1;\n/m, ""),
    replace("nginx", "proxy_http_version 1.1", "proxy_http_version 1.0"),
  ],
  "nginx.timeout.short": [replace("nginx", "proxy_read_timeout 1h", "proxy_read_timeout 30")],
  "nginx.tls.missing": [replace("nginx", "listen 127.0.0.1:8443 ssl", "listen 80")],
  "nginx.tls.old": [replace("nginx", "TLSv1.2 TLSv1.3", "TLSv1 TLSv1.1 TLSv1.2 TLSv1.3")],
  "traefik.api.public": [
    (scene) => {
      const { name } = scene.service("traefik");
      const command = scene.get("compose", "services", name, "command") as string[];
      scene.setService("traefik", ["command"], [...command, "--api.insecure=true"]);
    },
    (scene) =>
      scene.add(
        "traefik.yml",
        "entryPoints:\n  web:\n    address: ':443'\napi:\n  insecure: true\n",
      ),
  ],
};
