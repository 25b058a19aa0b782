import { type Plant, replace, set } from "./plant.ts";

export const redisPlants: Readonly<Record<string, readonly Plant[]>> = {
  "redis.missing": [
    (scene) => {
      scene.needs(scene.has("egress") || scene.has("sip"));
      scene.remove("livekit", "redis");
    },
  ],
  "redis.placeholder": [
    (scene) => {
      scene.needs(
        !scene.has("egress") && !scene.has("sip") && scene.get("livekit", "redis", "address"),
      );
      scene.needs(!scene.has("redis"));
      scene.set("livekit", ["redis", "address"], "redis.host:6379");
    },
    (scene) => {
      scene.needs(
        !scene.has("egress") && !scene.has("sip") && scene.get("livekit", "redis", "address"),
      );
      scene.needs(!scene.has("redis"));
      scene.set("livekit", ["redis", "address"], "<redis-host>");
    },
  ],
  "redis.different": [
    set("egress", ["redis", "address"], "redis.beta.test:6379"),
    set("sip", ["redis", "db"], 3),
  ],
  "redis.port.different": [replace("redis", "port 6379", "port 6380")],
  "redis.password.missing": [
    (scene) => {
      scene.replace("redis", /^bind .*$/m, "bind 0.0.0.0");
      scene.replace("redis", /^requirepass .*\n/m, "");
    },
  ],
  "redis.password.different": [
    (scene) => {
      scene.needs(scene.has("redis") && scene.get("livekit", "redis", "password"));
      scene.remove("livekit", "redis", "password");
    },
    (scene) => {
      scene.needs(scene.has("redis") && scene.get("livekit", "redis", "password"));
      scene.set("livekit", ["redis", "password"], "00000000a5b4a39281706f5e4d3c2b1a0");
    },
  ],
  "redis.eviction": [replace("redis", "noeviction", "allkeys-lru")],
  "redis.public": [
    (scene) => {
      scene.needs(!scene.service("redis").isHost);
      scene.setService("redis", ["ports"], ["6379:6379"]);
    },
  ],
  "redis.volume.missing": [
    (scene) => {
      scene.needs(!scene.service("redis").isHost);
      scene.removeService("redis", "volumes");
    },
    (scene) => {
      scene.needs(scene.service("redis").isHost);
      scene.setService("redis", ["volumes"], ["./redis.conf:/etc/redis.conf:ro"]);
    },
  ],
  "redis.tls.unchecked": [
    (scene) => {
      scene.needs(scene.get("livekit", "redis"));
      scene.set("livekit", ["redis", "tls"], { enabled: true, insecure: true });
    },
  ],
  "redis.service.missing": [
    (scene) => {
      scene.needs(!scene.service("livekit").isHost);
      scene.set("livekit", ["redis", "address"], "localhost:6379");
    },
  ],
  "nodes.region.missing": [
    (scene) => {
      scene.needs(scene.get("livekit", "redis"));
      scene.set("livekit", ["node_selector"], { kind: "regionaware", regions: [{ name: "mars" }] });
    },
  ],
  "nodes.selector.unknown": [set("livekit", ["node_selector"], { kind: "fastest" })],
  "nodes.alone": [
    (scene) => {
      scene.needs(!scene.get("livekit", "redis"));
      scene.set("livekit", ["node_selector"], { kind: "sysload" });
    },
  ],
};
