import type { Advisory } from "../../app/features/deployments/bundle/advisories.ts";
import type { Catalogued } from "../../app/features/deployments/bundle/releases.ts";
import { affects, isAtLeast } from "../../app/features/deployments/bundle/versions.ts";

/** The table of releases with the advisories of each program. */
export type Table = Readonly<Record<string, Catalogued & { advisories: readonly Advisory[] }>>;

const dayMs = 86_400_000;
/** A stable release may wait as long for our pin. */
const maxDaysBehind = 30;

/** Why the pins may not stay as they are on this day, a sentence for each; none where they may. */
export function judgePins(table: Table, today: string): string[] {
  return Object.entries(table).flatMap(([program, entry]) => [
    ...advisoryProblems(program, entry),
    ...delayProblems(program, entry, today),
  ]);
}

function advisoryProblems(program: string, { pinned, advisories }: Table[string]): string[] {
  return advisories
    .filter((advisory) => affects(advisory, pinned))
    .map(
      ({ ids, fixedIn }) =>
        `${program} ${pinned} has an advisory: ${ids.join(", ")}, mended in ${fixedIn.join(", ")}.`,
    );
}

function delayProblems(
  program: string,
  { pinned, reason, releases, upstream, advisories }: Table[string],
  today: string,
): string[] {
  const sound = Object.entries(releases).filter(
    ([tag]) => !advisories.some((advisory) => affects(advisory, tag)),
  );
  const later = [
    ...sound,
    // A reason is about the releases without an image of our line. It excuses no listed one.
    ...(upstream && !reason ? [[upstream.newest, upstream.day]] : []),
  ]
    .flatMap(([tag = "", day = ""]) =>
      tag !== pinned && isAtLeast(tag, pinned) ? [{ tag, days: daysBetween(day, today) }] : [],
    )
    .sort((one, other) => other.days - one.days);
  const [first] = later;
  if (!first || first.days <= maxDaysBehind) return [];
  return [`${program} ${pinned} is behind: ${first.tag} is out for ${first.days} days.`];
}

function daysBetween(day: string, today: string): number {
  return Math.floor((Date.parse(today) - Date.parse(day)) / dayMs);
}
