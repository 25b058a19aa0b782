import type { Scene } from "./scene.ts";
import { openedPort } from "./server.ts";

/** A fault: how it is made, and by which codes of explanations its cause is said. */
export type Fault = {
  name: string;
  causes: readonly string[];
  happen: (scene: Scene) => Promise<unknown>;
};

// Rules of nftables.
export const udp = "meta l4proto udp drop";
export const only443 = ["tcp dport 443 accept", "drop"];
/** What comes to the server from the office alone. */
export const office = (...rules: string[]) => rules.map((rule) => `iifname off0 ${rule}`);
export const toOpened = `tcp dport 443 redirect to :${openedPort}`;
