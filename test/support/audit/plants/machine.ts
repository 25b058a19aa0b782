import { image, type Plant, removeService, setService } from "./plant.ts";

export const machinePlants: Readonly<Record<string, readonly Plant[]>> = {
  "image.attackable": [
    image("livekit", "v1.13.5"),
    (scene) => scene.set("helm", ["image", "tag"], "v1.9.0"),
    (scene) => {
      scene.needs(scene.has("caddy") && scene.has("compose"));
      scene.setService("caddy", ["image"], "livekit/caddyl4:v2.10.2");
    },
  ],
  "image.faulty": [image("redis", "7.4.6-alpine")],
  "image.old": [image("egress", "v1.9.0"), image("egress", "v1.7.2")],
  "image.floating": [
    image("livekit", "latest"),
    (scene) => scene.setService("egress", ["image"], "livekit/egress"),
    (scene) => scene.set("helm", ["image", "tag"], "latest"),
  ],
  "compose.restart.missing": [
    removeService("livekit", "restart"),
    removeService("redis", "restart"),
  ],
  "compose.logs.unbounded": [
    removeService("livekit", "logging"),
    (scene) => scene.setService("redis", ["logging"], { driver: "json-file" }),
  ],
  "compose.health.missing": [removeService("livekit", "healthcheck")],
  "compose.stop.short": [
    removeService("livekit", "stop_grace_period"),
    setService("livekit", ["stop_grace_period"], "10s"),
  ],
  "compose.privileged": [setService("livekit", ["privileged"], true)],
  "compose.version": [(scene) => scene.set("compose", ["version"], "3.9")],
  "compose.cpus.few": [
    setService("livekit", ["cpus"], "0.5"),
    setService("livekit", ["deploy"], { resources: { limits: { cpus: "0.25" } } }),
  ],
  "compose.config.unmounted": [
    (scene) => {
      scene.needs(scene.service("livekit").command.includes("--config /etc/livekit.yaml"));
      scene.setService("livekit", ["volumes"], ["./livekit.yaml:/livekit.yaml"]);
    },
  ],
};
