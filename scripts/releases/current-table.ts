import type { Advisory } from "../../app/features/deployments/bundle/advisories.ts";
import type { Program } from "../../app/features/deployments/bundle/releases.ts";
import { affects, isAtLeast } from "../../app/features/deployments/bundle/versions.ts";
import { judgePins, type Table } from "./judge.ts";
import { offersOf } from "./offers.ts";
import { type Publisher, publishers } from "./publishers.ts";
import {
  type Answer,
  type Fetch,
  type Found,
  githubAdvisories,
  githubReleases,
  goReleases,
  osvAdvisories,
  type Release,
} from "./sources.ts";

/** `missing`: which sources did not answer, and why. `problems`: why the table may not stay as it is. */
type Reading = { table: Table; missing: string[]; problems: string[] };

/**
 * The table to be written. The problems are those of the pins that the table has now, also where they move: until the
 * change is deployed, new machines get them.
 */
export async function nextTable(
  table: Table,
  fetch: Fetch,
  { movesPins, today }: { movesPins: boolean; today: string },
): Promise<Reading> {
  const current = await currentTable(table, fetch);
  return {
    ...current,
    table: movesPins ? withNewestPins(current.table) : current.table,
    problems: [...current.problems, ...judgePins(current.table, today)],
  };
}

/** The table with what the publishers list now. A program of which no publisher answers is a problem. */
export async function currentTable(table: Table, fetch: Fetch): Promise<Reading> {
  const programs = Object.keys(publishers) as Program[];
  const read = await Promise.all(
    programs.map(async (program) => {
      const entry = table[program];
      if (!entry) throw new Error(`The table lacks ${program}.`);
      const { next, missing, problems } = await currentEntry(entry, publishers[program], fetch);
      return { program, next, missing, problems: problems.map((each) => `${program}${each}`) };
    }),
  );
  return {
    table: Object.fromEntries(read.map(({ program, next }) => [program, next])),
    missing: read.flatMap(({ missing }) => missing),
    problems: read.flatMap(({ problems }) => problems),
  };
}

async function currentEntry(entry: Table[string], publisher: Publisher, fetch: Fetch) {
  const { github, goModule, tagOf } = publisher;
  const newest = newestOf(Object.keys(entry.releases)) ?? entry.pinned;
  const isNewer = (version: string) => isAtLeast(version, newest) && !isAtLeast(newest, version);
  const [releaseLists, advisoryLists, ofParts] = await Promise.all([
    Promise.all([
      githubReleases(fetch, github),
      ...(goModule ? [goReleases(fetch, goModule, isNewer)] : []),
    ]),
    Promise.all([
      githubAdvisories(fetch, github),
      ...(goModule ? [osvAdvisories(fetch, goModule)] : []),
    ]),
    Promise.all((publisher.parts ?? []).map((part) => unknownOfPart(part, entry, fetch))),
  ]);
  const published = releaseLists.flatMap(itemsOf);
  const later = published
    .filter(({ version }) => isNewer(version) && isOfLine(version, publisher))
    .sort((one, other) => byVersion(one.version, other.version));
  const offers = await offersOf(entry, publisher, published, later, fetch);
  const releases: Record<string, string> = { ...entry.releases };
  for (const { version, day } of later) {
    const tag = tagOf(version);
    if (offers.tags.includes(tag)) releases[tag] ??= day;
  }
  const advisories = withFound(
    entry.advisories,
    advisoryLists.flatMap(itemsOf),
    Object.keys(releases),
  );
  return {
    next: withUpstream(
      { ...entry, releases, ...(offers.checksums && { checksums: offers.checksums }), advisories },
      published,
      publisher,
    ),
    missing: [
      ...[...releaseLists, ...advisoryLists].flatMap(missingOf),
      ...ofParts.flatMap(({ missing }) => missing),
      ...offers.missing,
    ],
    problems: [
      ...(releaseLists.every(isMissing) ? [": no source of its releases answered."] : []),
      ...(advisoryLists.every(isMissing) ? [": no source of its advisories answered."] : []),
      ...ofParts.flatMap(({ problems }) => problems),
      ...offers.problems,
    ],
  };
}

/**
 * The advisories of a part that the table lacks. Nobody but a person can say which of the image's versions they affect, so
 * each is a problem until its number stands in the table.
 */
async function unknownOfPart(part: string, { advisories }: Table[string], fetch: Fetch) {
  const lists = await Promise.all([
    githubAdvisories(fetch, part),
    osvAdvisories(fetch, `github.com/${part}`),
  ]);
  const unknown = lists
    .flatMap(itemsOf)
    .filter(({ ids }) => !advisories.some((each) => each.ids.some((id) => ids.includes(id))));
  return {
    missing: lists.flatMap(missingOf),
    problems: [
      ...unknown.map(
        ({ ids, source }) =>
          ` has an advisory of ${part} that the table lacks: ${ids.join(", ")} ${source}`,
      ),
      ...(lists.every(isMissing) ? [`: no source of the advisories of ${part} answered.`] : []),
    ],
  };
}

function itemsOf<Item>(answer: Answer<Item>): Item[] {
  return "items" in answer ? answer.items : [];
}

function missingOf(answer: Answer<unknown>): string[] {
  return "missing" in answer ? [answer.missing] : [];
}

function isMissing(answer: Answer<unknown>): boolean {
  return "missing" in answer;
}

function isOfLine(version: string, { minor }: Publisher): boolean {
  return minor === undefined || version.startsWith(`${minor}.`);
}

/** The entry with the newest release of the program, where the entry does not list it: its image is another publisher's, or it is of a later line. */
function withUpstream(
  entry: Table[string],
  published: readonly Release[],
  { tagOf }: Publisher,
): Table[string] {
  const { upstream: former, ...others } = entry;
  const newest = newestOf([
    ...published.map(({ version }) => tagOf(version)),
    ...Object.keys(entry.releases),
    ...(former ? [former.newest] : []),
  ]);
  if (newest === undefined || newest in entry.releases) return others;
  const release = published.find(({ version }) => tagOf(version) === newest);
  // It stays at its place in the file.
  return release ? { ...entry, upstream: { newest, day: release.day } } : entry;
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

/** The table with each pin on the newest listed release without an advisory, never on a lower one. */
export function withNewestPins(table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).map(([program, entry]) => {
      const good = Object.keys(entry.releases).filter(
        (tag) =>
          isAtLeast(tag, entry.pinned) &&
          !entry.advisories.some((advisory) => affects(advisory, tag)),
      );
      return [program, { ...entry, pinned: newestOf(good) ?? entry.pinned }];
    }),
  );
}
