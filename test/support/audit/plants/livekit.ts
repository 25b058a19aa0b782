import { image, keys, type Plant, remove, set, webhook } from "./plant.ts";

export const livekitPlants: Readonly<Record<string, readonly Plant[]>> = {
  "keys.missing": [
    (scene) => {
      scene.needs(scene.has("compose") && !scene.get("livekit", "webhook"));
      scene.remove("livekit", "keys");
    },
  ],
  "keys.public": [keys("devkey", "secret"), keys("key1", "secret1")],
  "keys.placeholder": [
    keys("your-api-key", "Zt5yWq8vRm3nKx7cLp1bHj6dFs9gTa2eUo4i"),
    keys("APIabcdefghijk", "<your-api-secret>"),
  ],
  "keys.short": [keys("APIabcdefghijk", "Zt5yWq8vRm3nKx7c")],
  "keys.different": [
    set("egress", ["api_secret"], "Another5yWq8vRm3nKx7cLp1bHj6dFs9gTa2"),
    set("ingress", ["api_key"], "APIwUsNtAcmeVm2"),
    set("sip", ["api_key"], "APIwUsNtAcmeVm2"),
  ],
  "mode.development": [
    (scene) => {
      scene.needs(scene.get("livekit", "rtc", "port_range_start") && scene.get("livekit", "port"));
      scene.set("livekit", ["development"], true);
    },
    (scene) => {
      scene.needs(!scene.service("livekit").command.includes("livekit/livekit"));
      scene.setService("livekit", ["command"], "--config /etc/livekit.yaml --dev");
      scene.needs(scene.service("livekit").mounts.includes("/etc/livekit.yaml"));
    },
  ],
  "logging.debug": [
    set("livekit", ["logging"], { level: "debug" }),
    set("egress", ["logging", "level"], "debug"),
    set("sip", ["logging", "level"], "debug"),
  ],
  "livekit.key.unknown": [
    set("livekit", ["rtc", "use_extrenal_ip"], true),
    set("livekit", ["signal_relay"], { enabled: true }),
    set("livekit", ["turn", "port"], 3478),
  ],
  "livekit.key.deprecated": [
    set("livekit", ["log_level"], "info"),
    set("livekit", ["rtc", "packet_buffer_size"], 500),
    set("livekit", ["room"], { max_metadata_size: 1024, empty_timeout: 300 }),
  ],
  "livekit.key.newer": [
    (scene) => {
      scene.needs(!scene.get("livekit", "turn", "ttl_seconds"));
      scene.set("livekit", ["turn", "ttl_seconds"], 300);
      image("livekit", "v1.11.0")(scene);
    },
  ],
  "webhook.key.missing": [remove("livekit", "webhook", "api_key")],
  "webhook.key.unknown": [
    (scene) => {
      scene.needs(scene.get("livekit", "webhook", "api_key"));
      scene.set("livekit", ["webhook", "api_key"], "APIanother");
    },
  ],
  "webhook.plain": [webhook("http://app.acme.test/livekit")],
  "webhook.placeholder": [webhook("https://your-host.com/handler")],
  "room.codecs.rtx": [
    set("livekit", ["room"], { enabled_codecs: [{ mime: "audio/opus" }, { mime: "video/vp8" }] }),
  ],
  "room.codecs.opus": [
    set("livekit", ["room"], { enabled_codecs: [{ mime: "video/vp8" }, { mime: "video/rtx" }] }),
  ],
  "room.empty-timeout": [set("livekit", ["room"], { empty_timeout: 0 })],
  "limit.size.off": [
    set("livekit", ["limit"], { signal_message_size_limit: 0 }),
    set("livekit", ["limit"], { max_api_request_body_size: 0 }),
  ],
  "limit.tracks.few": [set("livekit", ["limit"], { num_tracks: 50 })],
  "metrics.public": [
    (scene) => {
      scene.needs(!scene.has("helm") && !scene.has("compose"));
      const binds = JSON.stringify(scene.get("livekit", "bind_addresses") ?? "");
      scene.needs(!binds.includes("127.0.0.1"));
      scene.set("livekit", ["prometheus"], { port: 6789 });
    },
  ],
  "debug.public": [
    (scene) => {
      scene.needs(!scene.has("compose"));
      const binds = JSON.stringify(scene.get("livekit", "bind_addresses") ?? "");
      scene.needs(!binds.includes("127.0.0.1"));
      scene.set("livekit", ["debug_handler"], { port: 6060 });
    },
  ],
};
