import type { Advisory } from "../../app/features/deployments/bundle/advisories.ts";
import type { Catalogued, Program } from "../../app/features/deployments/bundle/releases.ts";
import { affects, isAtLeast } from "../../app/features/deployments/bundle/versions.ts";
import type { Table } from "./judge.ts";
import { type Publisher, publishers } from "./publishers.ts";
import {
  type Answer,
  type Fetch,
  type Found,
  githubAdvisories,
  githubReleases,
  goReleases,
  imageReleases,
  osvAdvisories,
  type Release,
} from "./sources.ts";

/** The table with what the publishers list now; `missing`: which sources did not answer, and why. */
export async function currentTable(
  table: Table,
  fetch: Fetch,
): Promise<{ table: Table; missing: string[] }> {
  const programs = Object.keys(publishers) as Program[];
  const read = await Promise.all(
    programs.map(async (program) => {
      const entry = table[program];
      if (!entry) throw new Error(`The table lacks ${program}.`);
      const { next, missing } = await currentEntry(entry, publishers[program], fetch);
      return { program, next, missing };
    }),
  );
  return {
    table: Object.fromEntries(read.map(({ program, next }) => [program, next])),
    missing: read.flatMap(({ missing }) => missing),
  };
}

async function currentEntry(entry: Table[string], publisher: Publisher, fetch: Fetch) {
  const { github, goModule, image } = publisher;
  const newest = newestOf(Object.keys(entry.releases)) ?? entry.pinned;
  const isNewer = (version: string) => isAtLeast(version, newest) && !isAtLeast(newest, version);
  const noReleases: Answer<Release> = { items: [] };
  const noAdvisories: Answer<Found> = { items: [] };
  const [ofGithub, ofGo, ofImage, advisoriesOfGithub, advisoriesOfOsv] = await Promise.all([
    githubReleases(fetch, github),
    goModule ? goReleases(fetch, goModule, isNewer) : noReleases,
    image ? imageReleases(fetch, image) : noReleases,
    githubAdvisories(fetch, github),
    goModule ? osvAdvisories(fetch, goModule) : noAdvisories,
  ]);
  const upstream = [...itemsOf(ofGithub), ...itemsOf(ofGo)];
  const withUpstream = { ...entry, ...upstreamOf(entry, upstream, publisher) };
  const candidates = image ? itemsOf(ofImage) : upstream;
  const later = candidates
    .filter(({ version }) => isNewer(version) && isOfLine(version, publisher))
    .sort((one, other) => byVersion(one.version, other.version));
  const releases: Record<string, string> = { ...entry.releases };
  for (const { version, day } of later) releases[publisher.tagOf(version)] ??= day;
  const found = [...itemsOf(advisoriesOfGithub), ...itemsOf(advisoriesOfOsv)];
  return {
    next: {
      ...withUpstream,
      releases,
      advisories: withFound(entry.advisories, found, Object.keys(releases)),
    },
    missing: [ofGithub, ofGo, ofImage, advisoriesOfGithub, advisoriesOfOsv].flatMap((answer) =>
      "missing" in answer ? [answer.missing] : [],
    ),
  };
}

function itemsOf<Item>(answer: Answer<Item>): Item[] {
  return "items" in answer ? answer.items : [];
}

function isOfLine(version: string, { line }: Publisher): boolean {
  return line === undefined || version.startsWith(`${line}.`);
}

/** The newest release of a program whose images we take from another publisher, or of one whose older line we stay with. */
function upstreamOf(
  { upstream }: Pick<Catalogued, "upstream">,
  releases: readonly Release[],
  { image, line }: Publisher,
): Pick<Catalogued, "upstream"> {
  if (!image && !(line && upstream)) return {};
  const version = newestOf([
    ...releases.map((each) => each.version),
    ...(upstream ? [upstream.newest] : []),
  ]);
  const release = releases.find((each) => each.version === version);
  return release ? { upstream: { newest: `v${release.version}`, day: release.day } } : {};
}

function newestOf(versions: readonly string[]): string | undefined {
  return [...versions].sort(byVersion).at(-1);
}

function byVersion(one: string, other: string): number {
  return isAtLeast(one, other) ? 1 : -1;
}

/** Adds what affects a listed release and is not known by any of its numbers, with the worst exposure until a person has judged it. */
function withFound(
  known: readonly Advisory[],
  found: readonly Found[],
  tags: readonly string[],
): Advisory[] {
  const all = [...known];
  for (const { ids, source, summary, ranges } of found) {
    if (all.some((each) => each.ids.some((id) => ids.includes(id)))) continue;
    const fixedIn = [...new Set(ranges.flatMap(({ fixed }) => fixed ?? []))].sort(byVersion);
    const starts = ranges.flatMap(({ introduced }) => introduced ?? []);
    const since = starts.length < ranges.length ? undefined : starts.sort(byVersion)[0];
    const advisory: Advisory = {
      ids,
      source,
      severity: "security",
      exposure: "internet",
      reason: summary.replace(/\.$/, ""),
      ...(since === undefined ? {} : { since }),
      fixedIn,
    };
    if (tags.some((tag) => affects(advisory, tag))) all.push(advisory);
  }
  return all;
}

/** The table with each pin on the newest listed release, but for those with a reason not to be. */
export function withNewestPins(table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).map(([program, entry]) => {
      const newest = Object.keys(entry.releases).at(-1) ?? entry.pinned;
      const hasAdvisory = entry.advisories.some((advisory) => affects(advisory, newest));
      return [program, hasAdvisory ? entry : { ...entry, pinned: newest }];
    }),
  );
}
