import { onRange, type Plant, replace, set } from "./plant.ts";

export const networkPlants: Readonly<Record<string, readonly Plant[]>> = {
  "rtc.address.unknown": [
    (scene) => {
      scene.needs(!scene.has("compose") || scene.service("livekit").isHost);
      scene.needs(!scene.get("livekit", "rtc", "node_ip"));
      scene.set("livekit", ["rtc", "use_external_ip"], false);
    },
  ],
  "rtc.address.bridge": [
    (scene) => {
      scene.needs(!scene.service("livekit").isHost && !scene.get("livekit", "rtc", "node_ip"));
      scene.set("livekit", ["rtc", "use_external_ip"], false);
    },
  ],
  "rtc.address.private": [
    (scene) => {
      scene.set("livekit", ["rtc", "use_external_ip"], false);
      scene.set("livekit", ["rtc", "node_ip"], "192.168.10.100");
    },
    (scene) => {
      scene.set("livekit", ["rtc", "use_external_ip"], false);
      scene.set("livekit", ["rtc", "node_ip"], { ipv4: "10.1.2.3", ipv6: "2001:db8::1" });
    },
  ],
  "rtc.address.ignored": [
    (scene) => {
      scene.needs(scene.get("livekit", "rtc", "use_external_ip"));
      scene.set("livekit", ["rtc", "node_ip"], "203.0.113.9");
    },
  ],
  "rtc.ports.both": [onRange({ udp_port: 7882 })],
  "rtc.ports.order": [onRange({ port_range_start: 60_000, port_range_end: 50_000 })],
  "rtc.ports.few": [onRange({ port_range_end: 50_050 })],
  "rtc.tcp.off": [
    (scene) => {
      scene.needs(!scene.has("compose") || scene.service("livekit").isHost);
      scene.set("livekit", ["rtc", "tcp_port"], 0);
    },
    set("livekit", ["rtc", "allow_tcp_fallback"], false),
  ],
  "rtc.tcp.low": [
    (scene) => {
      scene.needs(!scene.has("compose") || scene.service("livekit").isHost);
      scene.set("livekit", ["rtc", "tcp_port"], 881);
    },
  ],
  "rtc.tcp.forced": [set("livekit", ["rtc", "force_tcp"], true)],
  "rtc.loopback": [set("livekit", ["rtc", "enable_loopback_candidate"], true)],
  "rtc.mdns": [set("livekit", ["rtc", "use_mdns"], true)],
  "rtc.interfaces.docker": [
    (scene) => {
      scene.needs(scene.service("livekit").isHost);
      scene.remove("livekit", "rtc", "interfaces");
    },
  ],
  "rtc.stun.scheme": [set("livekit", ["rtc", "stun_servers"], ["stun:stun.example.net:3478"])],
  "rtc.turn-servers.credentials": [
    set(
      "livekit",
      ["rtc", "turn_servers"],
      [{ host: "t.example.net", port: 443, protocol: "tls" }],
    ),
  ],
  "rtc.congestion.off": [set("livekit", ["rtc", "congestion_control"], { enabled: false })],
  "rtc.congestion.pacer": [
    set("livekit", ["rtc", "congestion_control"], { send_side_bwe_pacer: "leaky" }),
  ],
  "rtc.buffer.small": [set("livekit", ["rtc", "packet_buffer_size_video"], 20)],
  "ports.twice": [
    (scene) => {
      scene.needs(!scene.has("compose") || scene.service("livekit").isHost);
      scene.needs(!scene.get("livekit", "prometheus"));
      scene.set("livekit", ["prometheus"], {
        port: 7881,
        username: "p",
        password: "4e07408562bedb8b60ce05c1decfe3ad",
      });
    },
    set("egress", ["health_port"], 8080),
  ],
  "compose.ports.unpublished": [
    (scene) => {
      const { isHost, ports } = scene.service("livekit");
      scene.needs(!isHost && ports.length > 0);
      scene.setService(
        "livekit",
        ["ports"],
        ["127.0.0.1:7880:7880", "7881:7881", "7882:7882", "3478:3478/udp"],
      );
    },
  ],
  "compose.ports.shifted": [
    (scene) => {
      scene.needs(!scene.service("livekit").isHost);
      scene.setService("livekit", ["ports"], ["7881:7881", "17882:7882/udp", "3478:3478/udp"]);
    },
  ],
  "compose.ports.many": [
    (scene) => {
      scene.needs(!scene.service("livekit").isHost);
      scene.remove("livekit", "rtc", "udp_port");
      scene.setService(
        "livekit",
        ["ports"],
        ["7881:7881", "50000-60000:50000-60000/udp", "3478:3478/udp"],
      );
    },
  ],
  "signalling.public": [
    (scene) => {
      scene.needs(scene.service("livekit").isHost && scene.has("caddy"));
      scene.needs(!scene.get("livekit", "prometheus"));
      scene.remove("livekit", "bind_addresses");
    },
    (scene) => {
      scene.needs(!scene.service("livekit").isHost && scene.has("nginx"));
      scene.setService("livekit", ["ports", 0], "7880:7880");
    },
  ],
  "sysctl.buffers.small": [
    replace("sysctl", "net.core.rmem_max = 16777216", "net.core.rmem_max = 212992"),
  ],
  "compose.ports.host": [
    (scene) => {
      scene.needs(scene.service("livekit").isHost);
      scene.setService("livekit", ["ports"], ["7881:7881"]);
    },
  ],
};
