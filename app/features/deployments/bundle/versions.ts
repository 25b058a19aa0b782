import { type Advisory, catalogue } from "./releases.ts";

export type Component = keyof typeof catalogue;

/** The images whose version the customer may choose. */
export const components = Object.keys(catalogue) as Component[];

/** The version of each component by default: a tag that never moves, and the day of its release. */
export const pinned = {
  livekit: pinnedOf("livekit"),
  egress: pinnedOf("egress"),
  ingress: pinnedOf("ingress"),
  sip: pinnedOf("sip"),
  caddy: pinnedOf("caddy"),
  redis: pinnedOf("redis"),
};

function pinnedOf(component: Component) {
  const { image, pinned: tag } = catalogue[component];
  return { image, tag, date: releasesOf(component).get(tag) ?? "" };
}

/** Every listed tag of a component with its day, oldest first. */
export function releasesOf(component: Component): ReadonlyMap<string, string> {
  return new Map(Object.entries(catalogue[component].releases));
}

/** The newest listed release, where it is newer than the pinned one: the proof has not passed with it yet. */
export function newerThanPinned(component: Component): { tag: string; date: string } | undefined {
  const [tag, date] = [...releasesOf(component)].at(-1) ?? [];
  return tag === undefined || date === undefined || tag === catalogue[component].pinned
    ? undefined
    : { tag, date };
}

/** Images of advanced monitoring. No configuration that we write depends on their version. */
export const monitoringImages = {
  prometheus: "prom/prometheus:v3.5.0",
  nodeExporter: "prom/node-exporter:v1.9.1",
} as const;

/** The image that copies backups off the machine. */
export const rcloneImage = "rclone/rclone:1.74.4";

/** What is known to be wrong with a version, the worst last, as the table lists it. */
export function advisoriesOf(component: Component, tag: string): readonly Advisory[] {
  const all: readonly Advisory[] = catalogue[component].advisories;
  return all.filter((advisory) => {
    if ("tags" in advisory) return advisory.tags.includes(tag);
    const { mendedIn } = advisory;
    const newest = mendedIn.at(-1);
    const [major, minor] = numbersOf(tag);
    const ofSameMinor = mendedIn.find((version) => version[0] === major && version[1] === minor);
    const mended = ofSameMinor ?? newest;
    return mended !== undefined && !isAtLeast(tag, mended);
  });
}

/** Every listed tag that has an advisory, as `component:tag`. */
export function affectedReleases(): string[] {
  return components.flatMap((component) =>
    [...releasesOf(component).keys()]
      .filter((tag) => advisoriesOf(component, tag).length > 0)
      .map((tag) => `${component}:${tag}`),
  );
}

const form = /^v?(\d{1,4})\.(\d{1,4})\.\d{1,4}(-[a-z0-9.]{1,20})?$/;

/** The tag as the registry writes it, or why it is refused. Tags that move, such as `latest` or `v1.13`, are refused. */
export function checkTag(
  component: Component,
  input: string,
): { tag: string } | { refusal: string } {
  const found = form.exec(input);
  const example = pinned[component].tag;
  if (!found)
    return { refusal: `Write a version such as ${example}. Tags that move are not taken.` };
  const [major, minor] = catalogue[component].oldest;
  const [, atMajor, atMinor] = found.map(Number);
  if (Number(atMajor) < major || (Number(atMajor) === major && Number(atMinor) < minor))
    return { refusal: `The configuration needs version ${major}.${minor} or later.` };
  const number = input.replace(/^v/, "");
  return { tag: component === "redis" ? number : `v${number}` };
}

/** The full image of a component, such as `livekit/egress:v1.14.1`. */
export function imageOf(component: Component, tag: string): string {
  return `${pinned[component].image}:${tag}`;
}

/** The tag that the publisher moves to each new patch: `v1.13` for `v1.13.5`. A release candidate has none and stays as it is. */
export function minorTag(tag: string): string {
  return tag.replace(/^(v?\d+\.\d+)\.\d+(-alpine)?$/, "$1$2");
}

/** Whether a tag such as `v1.13.5` is this version or a later one. */
export function isAtLeast(tag: string, version: readonly [number, number, number]): boolean {
  const numbers = numbersOf(tag);
  const different = version.findIndex((number, index) => numbers[index] !== number);
  return different === -1 || (numbers[different] ?? 0) > (version[different] ?? 0);
}

function numbersOf(tag: string): number[] {
  return tag.replace(/^v/, "").split(/[.-]/).map(Number);
}
