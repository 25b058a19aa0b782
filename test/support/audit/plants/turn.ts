import { inTurn, type Plant, remove } from "./plant.ts";

export const turnPlants: Readonly<Record<string, readonly Plant[]>> = {
  "turn.off": [
    (scene) => {
      scene.needs(!scene.get("livekit", "rtc", "turn_servers"));
      scene.needs(scene.get("livekit", "turn", "enabled"));
      scene.set("livekit", ["turn", "enabled"], false);
    },
  ],
  "turn.ports.missing": [
    (scene) => {
      scene.needs(scene.get("livekit", "turn", "enabled"));
      scene.remove("livekit", "turn", "tls_port");
      scene.remove("livekit", "turn", "udp_port");
    },
  ],
  "turn.domain.missing": [remove("livekit", "turn", "domain")],
  "turn.domain.invalid": [
    (scene) => {
      scene.needs(!scene.has("caddy") && !scene.has("nginx") && !scene.has("compose"));
      inTurn("domain", "https://turn.example.net")(scene);
    },
    (scene) => {
      scene.needs(!scene.has("caddy") && !scene.has("nginx") && !scene.has("compose"));
      inTurn("domain", "turn_1.example.net")(scene);
    },
  ],
  "turn.tls.off": [
    (scene) => {
      scene.needs(scene.get("livekit", "turn", "udp_port"));
      scene.remove("livekit", "turn", "tls_port");
    },
  ],
  "turn.certificate.missing": [
    (scene) => {
      scene.remove("livekit", "turn", "external_tls");
    },
    (scene) => {
      scene.needs(!scene.has("helm"));
      scene.remove("livekit", "turn", "cert_file");
    },
  ],
  "turn.tls.port": [
    (scene) => {
      scene.needs(scene.get("livekit", "turn", "cert_file"));
      scene.set("livekit", ["turn", "tls_port"], 5349);
    },
  ],
  "turn.tls.unused-certificate": [
    (scene) => {
      scene.needs(scene.get("livekit", "turn", "external_tls"));
      scene.set("livekit", ["turn", "cert_file"], "/etc/ssl/turn.pem");
    },
  ],
  "turn.tls.nobody": [
    (scene) => {
      scene.needs(scene.get("livekit", "turn", "external_tls") && !scene.has("caddy"));
      scene.set("livekit", ["turn", "tls_port"], 443);
    },
  ],
  "turn.udp.low": [
    (scene) => {
      scene.needs(!scene.has("compose") || scene.service("livekit").isHost);
      inTurn("udp_port", 123)(scene);
    },
  ],
  "turn.udp.in-range": [
    (scene) => {
      scene.needs(scene.get("livekit", "rtc", "port_range_start"));
      inTurn("udp_port", 50_100)(scene);
    },
  ],
  "turn.relay.order": [
    (scene) => {
      inTurn("relay_range_start", 40_000)(scene);
      inTurn("relay_range_end", 30_000)(scene);
    },
  ],
  "turn.relay.overlap": [
    (scene) => {
      scene.needs(scene.get("livekit", "rtc", "port_range_start"));
      inTurn("relay_range_start", 55_000)(scene);
      inTurn("relay_range_end", 65_000)(scene);
    },
  ],
  "turn.peers.private": [
    inTurn("allow_restricted_peer_cidrs", ["10.0.0.0/8"]),
    inTurn("allow_restricted_peer_cidrs", ["0.0.0.0/0"]),
  ],
  "turn.relays.unbounded": [inTurn("per_user_relay_allocation_limit", 0)],
  "turn.proxies.everybody": [inTurn("proxy_protocol_trusted_cidrs", ["0.0.0.0/0"])],
  "turn.ttl": [inTurn("ttl_seconds", 0), inTurn("ttl_seconds", 864_000)],
};
