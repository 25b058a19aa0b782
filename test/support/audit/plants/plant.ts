import type { Scene } from "../scene.ts";

/** Puts one fault into a good configuration. */
export type Plant = (scene: Scene) => void;

export const set =
  (...[kind, path, value]: Parameters<Scene["set"]>): Plant =>
  (scene) => {
    scene.needs(scene.has(kind) || (kind === "livekit" && scene.has("helm")));
    scene.set(kind, path, value);
  };

export const remove =
  (...path: Parameters<Scene["remove"]>): Plant =>
  (scene) =>
    scene.remove(...path);

export const setService =
  (...[role, path, value]: Parameters<Scene["setService"]>): Plant =>
  (scene) =>
    scene.setService(role, path, value);

export const removeService =
  (...path: Parameters<Scene["removeService"]>): Plant =>
  (scene) =>
    scene.removeService(...path);

export const replace =
  (...change: Parameters<Scene["replace"]>): Plant =>
  (scene) =>
    scene.replace(...change);

/** Changes LiveKit's file where it has a TURN server of its own. */
export const inTurn =
  (path: string, value: unknown): Plant =>
  (scene) => {
    scene.needs(scene.get("livekit", "turn", "enabled") === true);
    scene.set("livekit", ["turn", path], value);
  };

export const keys =
  (key: string, secret: string): Plant =>
  (scene) => {
    scene.needs(scene.get("livekit", "keys") && !scene.get("livekit", "webhook"));
    scene.needs(!scene.has("egress") && !scene.has("sip"));
    scene.set("livekit", ["keys"], { [key]: secret });
  };

export const onRange =
  (change: Record<string, number>): Plant =>
  (scene) => {
    scene.needs(scene.get("livekit", "rtc", "port_range_start"));
    for (const [key, value] of Object.entries(change)) scene.set("livekit", ["rtc", key], value);
  };

export const webhook =
  (url: string): Plant =>
  (scene) => {
    scene.needs(scene.get("livekit", "webhook"));
    scene.set("livekit", ["webhook", "urls"], ["https://app.acme.test/events", url]);
  };

export const issuers =
  (value: unknown): Plant =>
  (scene) =>
    scene.set("caddy", ["apps", "tls", "automation", "policies", 0, "issuers"], value);

/** The route of Caddy that leads to a port. */
export function routeTo(scene: Scene, port: number): (string | number)[] {
  const above = ["apps", "layer4", "servers", "main", "routes"];
  scene.needs(scene.has("caddy"));
  const routes = scene.get("caddy", ...above) as unknown[];
  const index = routes.findIndex((each) => JSON.stringify(each).includes(`:${port}"`));
  scene.needs(index >= 0);
  return [...above, index];
}

export const tags = {
  livekit: "livekit/livekit-server",
  egress: "livekit/egress",
  redis: "redis",
};
export const image = (role: keyof typeof tags, tag: string): Plant =>
  setService(role, ["image"], `${tags[role]}:${tag}`);
