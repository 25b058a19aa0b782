/** The images whose version the customer may choose. */
export const components = ["livekit", "egress", "ingress", "sip", "caddy", "redis"] as const;
export type Component = (typeof components)[number];

/** What a deployment runs unless told otherwise: a tag that does not move, and the day it came out. */
export const pinned = {
  livekit: { image: "livekit/livekit-server", tag: "v1.13.5", date: "2026-07-31" },
  egress: { image: "livekit/egress", tag: "v1.14.1", date: "2026-08-14" },
  ingress: { image: "livekit/ingress", tag: "v1.5.0", date: "2026-04-22" },
  sip: { image: "livekit/sip", tag: "v1.11.0", date: "2026-08-17" },
  caddy: { image: "livekit/caddyl4", tag: "v2.10.2", date: "2025-10-15" },
  redis: { image: "redis", tag: "7.4.6-alpine", date: "2025-10-03" },
} as const satisfies Record<Component, { image: string; tag: string; date: string }>;

/** Images of advanced monitoring. Nothing of a deployment depends on their version. */
export const monitoringImages = {
  prometheus: "prom/prometheus:v3.5.0",
  nodeExporter: "prom/node-exporter:v1.9.1",
} as const;

/** Versions that exist and are better skipped. */
export const knownBad: readonly { component: Component; tag: string; reason: string }[] = [
  {
    component: "livekit",
    tag: "v1.10.0",
    reason: "It breaks TURN (livekit/livekit#4397); v1.10.1 mends it.",
  },
];

/** The oldest versions whose configuration has every key that is written, as [major, minor]. */
const oldest: Record<Component, readonly [number, number]> = {
  livekit: [1, 8],
  egress: [1, 9],
  ingress: [1, 4],
  sip: [1, 3],
  caddy: [2, 10],
  redis: [7, 0],
};

const form = /^v?(\d{1,4})\.(\d{1,4})\.\d{1,4}(-[a-z0-9.]{1,20})?$/;

/** A tag as the registry has it, or why it is refused. Tags that move, such as `latest` or `v1.13`, are refused. */
export function checkTag(
  component: Component,
  typed: string,
): { tag: string } | { refusal: string } {
  const found = form.exec(typed);
  const example = pinned[component].tag;
  if (!found)
    return { refusal: `Write a version such as ${example}. Tags that move are not taken.` };
  const [major, minor] = oldest[component];
  const [, atMajor, atMinor] = found.map(Number);
  if (Number(atMajor) < major || (Number(atMajor) === major && Number(atMinor) < minor))
    return { refusal: `The configuration needs version ${major}.${minor} or later.` };
  const number = typed.replace(/^v/, "");
  return { tag: component === "redis" ? number : `v${number}` };
}

/** The full image of a component, such as `livekit/egress:v1.14.1`. */
export function imageOf(component: Component, tag: string): string {
  return `${pinned[component].image}:${tag}`;
}

/** The tag that patches of a version move: `v1.13` for `v1.13.5`. Test versions such as `v1.13.5-rc1` have none. */
export function minorTag(tag: string): string {
  return tag.replace(/^(v?\d+\.\d+)\.\d+(-alpine)?$/, "$1$2");
}

/** Whether a tag of ours, such as `v1.13.5`, is this version or a later one. */
export function isAtLeast(tag: string, version: readonly [number, number, number]): boolean {
  const numbers = tag.replace(/^v/, "").split(/[.-]/).map(Number);
  const different = version.findIndex((number, index) => numbers[index] !== number);
  return different === -1 || (numbers[different] ?? 0) > (version[different] ?? 0);
}
