import { type Advisory, advisories } from "./advisories.ts";
import { type Catalogued, catalogue, type Program } from "./releases.ts";

/** The images whose version the customer may choose. */
export const components = ["livekit", "egress", "ingress", "sip", "caddy", "redis"] as const;

export type Component = (typeof components)[number];

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

/** Every listed tag of a program with its day, oldest first. */
export function releasesOf(program: Program): ReadonlyMap<string, string> {
  return new Map(Object.entries(catalogue[program].releases));
}

/** The newest listed release, where it is newer than the pinned one: the proof has not passed with it yet. */
export function newerThanPinned(
  component: Component,
  { pinned: ours, releases }: Pick<Catalogued, "pinned" | "releases"> = catalogue[component],
): { tag: string; date: string } | undefined {
  const [tag, date] = Object.entries(releases).at(-1) ?? [];
  return tag === undefined || date === undefined || tag === ours ? undefined : { tag, date };
}

/** The programs that no image has. */
type Downloaded = "compose" | "age";

/** The image of a program that no customer chooses: those of advanced monitoring, and the one that copies backups away. */
export function pinnedImage(program: Exclude<Program, Component | Downloaded>): string {
  const { image, pinned: tag } = catalogue[program];
  return `${image}:${tag}`;
}

/** The program of the table that a service of ours runs. */
export function programOf(service: string): Program | undefined {
  return programs.find((program) => program === service);
}

const programs = Object.keys(catalogue) as Program[];

/** What is known to be wrong with a version, as the table lists it. */
export function advisoriesOf(program: Program, tag: string): readonly Advisory[] {
  return advisories[program].filter((advisory) => affects(advisory, tag));
}

/** Whether a version has the fault. Where no version mends it yet, all later ones have it. */
export function affects({ since, fixedIn }: Advisory, tag: string): boolean {
  if (since !== undefined && !isAtLeast(tag, since)) return false;
  const mended = ofSameMinor(fixedIn, tag) ?? fixedIn.at(-1);
  return mended === undefined || !isAtLeast(tag, mended);
}

function ofSameMinor(versions: readonly string[], tag: string): string | undefined {
  const [major, minor] = numbersOf(tag);
  return versions.find((version) => {
    const [ofMajor, ofMinor] = numbersOf(version);
    return ofMajor === major && ofMinor === minor;
  });
}

/** What a customer reads of an advisory. */
export function advisoryWords({ reason, ids, fixedIn }: Advisory): string {
  const list = new Intl.ListFormat("en-GB");
  const mends = fixedIn.length === 1 ? "mends" : "mend";
  const end = fixedIn.length === 0 ? "nothing mends it yet" : `${list.format(fixedIn)} ${mends} it`;
  return `${reason} (${list.format(ids)}); ${end}.`;
}

/**
 * The version that a server is to run instead of an affected one: the pinned one, never a lower one. Undefined where no
 * listed version is better.
 */
export function recommendedTag(program: Program, tag: string): string | undefined {
  const { pinned: ours } = catalogue[program];
  const candidates = [ours, ...[...releasesOf(program).keys()].reverse()];
  return candidates.find(
    (each) => isAtLeast(each, tag) && advisoriesOf(program, each).length === 0,
  );
}

/** Every listed tag that has an advisory, as `program:tag`. */
export const affectedReleases: readonly string[] = programs.flatMap((program) =>
  [...releasesOf(program).keys()]
    .filter((tag) => advisoriesOf(program, tag).length > 0)
    .map((tag) => `${program}:${tag}`),
);

const form = /^v?(\d{1,4})\.(\d{1,4})\.\d{1,4}(-[a-z0-9.]{1,20})?$/;

/** Whether a tag names one version: not `latest`, `v1.13` or a digest. */
export function namesVersion(tag: string): boolean {
  return form.test(tag);
}

/** The tag as the registry writes it, or why it is refused. Tags that move, such as `latest` or `v1.13`, are refused. */
export function checkTag(
  component: Component,
  input: string,
): { tag: string } | { refusal: string } {
  const example = pinned[component].tag;
  if (!namesVersion(input))
    return { refusal: `Write a version such as ${example}. Tags that move are not taken.` };
  const { oldest } = catalogue[component];
  if (!isAtLeast(input, `${oldest}.0`))
    return { refusal: `The configuration needs version ${oldest} or later.` };
  const number = input.replace(/^v/, "");
  return { tag: component === "redis" ? number : `v${number}` };
}

/** The full image of a component, such as `livekit/egress:v1.14.1`. */
export function imageOf(component: Component, tag: string): string {
  return `${pinned[component].image}:${tag}`;
}

/** The tag that the publisher moves to each new patch: `v1.13` for `v1.13.11`. A release candidate has none and stays as it is. */
export function minorTag(tag: string): string {
  return tag.replace(/^(v?\d+\.\d+)\.\d+(-alpine)?$/, "$1$2");
}

/** Whether a tag such as `v1.13.11` is this version, such as `1.13.0`, or a later one. */
export function isAtLeast(tag: string, version: string): boolean {
  const numbers = numbersOf(tag);
  const wanted = numbersOf(version).slice(0, 3);
  const different = wanted.findIndex((number, index) => numbers[index] !== number);
  return different === -1 || (numbers[different] ?? 0) > (wanted[different] ?? 0);
}

function numbersOf(tag: string): number[] {
  return tag.replace(/^v/, "").split(/[.-]/).map(Number);
}
