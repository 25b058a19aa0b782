import { wallTimeOf } from "~/ui/time-zones";
import { badOf, type EvidenceHour, hourMs } from "../room-sessions/evidence-hours";

// Whether calls are bad at certain hours of the day. Chance makes such groups, and more readily the fewer calls there are,
// so a stretch of hours is named only if chance would hardly have made it:
//
// 1. Of all stretches of 2 to 6 hours the one is taken that fits best, by Kulldorff's scan statistic ("A spatial scan
//    statistic", 1997), which is how epidemiology finds where and when cases gather.
// 2. Bad calls of one evening have one cause, so days are counted and not calls: of each day the part in these hours, and
//    the rest of it. A part is bad from a quarter of bad calls on.
// 3. Fisher's exact test says how readily chance makes the bad parts gather so. It must be less than 1 in 20 for all
//    stretches that were looked at together (Bonferroni): that takes 7 days even where all of it is clear.

const dayMs = 24 * hourMs;
const lengths = [2, 3, 4, 5, 6] as const;
export const clockHours: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);
const stretches = clockHours.length * lengths.length;
const maxChance = 0.05 / stretches;
const badShare = 1 / 4;

/** With fewer no stretch can be named, whatever the calls were: a test tries it. */
export const minDays = 7;
export const minBadDays = 3;

/** An hour of the clock, by when it begins there: in India UTC's hours begin at half past. */
export type LocalHour = EvidenceHour & { localMs: number };
export type Stretch = { from: number; length: number };
export type HourPattern =
  | { kind: "few"; calls: number; days: number; badDays: number }
  | { kind: "none"; calls: number; bad: number }
  | { kind: "stretch"; stretch: Stretch; inside: LocalHour[]; outside: LocalHour[] };

export function localHours(hours: readonly EvidenceHour[], zone: string): LocalHour[] {
  return hours.map((hour) => ({ ...hour, localMs: Date.parse(`${wallTimeOf(hour.at, zone)}Z`) }));
}

/** The hour of the day, from 0 to 23. */
export const clockHourOf = ({ localMs }: LocalHour): number =>
  Math.floor((localMs % dayMs) / hourMs);

export const isWithin = ({ from, length }: Stretch, clockHour: number): boolean =>
  (clockHour - from + 24) % 24 < length;

export function hourPattern(hours: readonly LocalHour[]): HourPattern {
  const dayOf = ({ localMs }: LocalHour) => Math.floor(localMs / dayMs);
  const days = new Set(hours.map(dayOf)).size;
  const badDays = new Set(hours.filter((hour) => badOf(hour) > 0).map(dayOf)).size;
  const [calls, bad] = [sumOf(hours, ({ calls }) => calls), sumOf(hours, badOf)];
  if (bad === 0 && days >= minDays) return { kind: "none", calls, bad };
  if (days < minDays || badDays < minBadDays) return { kind: "few", calls, days, badDays };
  const stretch = likeliest(hours);
  const inside = hours.filter((hour) => stretch && isWithin(stretch, clockHourOf(hour)));
  const outside = hours.filter((hour) => !inside.includes(hour));
  const isBad = sumOf(inside, badOf) >= sumOf(inside, ({ calls }) => calls) * badShare;
  return stretch && isBad && chanceOf(stretch, inside, outside) < maxChance
    ? { kind: "stretch", stretch, inside, outside }
    : { kind: "none", calls, bad };
}

/** The stretch that fits best, the shortest of several; none where all calls are bad, or they are at one hour. */
function likeliest(hours: readonly LocalHour[]): Stretch | undefined {
  const byClock = clockHours.map(() => ({ calls: 0, bad: 0 }));
  for (const hour of hours) {
    const sum = byClock[clockHourOf(hour)];
    if (!sum) continue;
    sum.calls += hour.calls;
    sum.bad += badOf(hour);
  }
  const all = {
    calls: sumOf(byClock, ({ calls }) => calls),
    bad: sumOf(byClock, ({ bad }) => bad),
  };
  let best: { stretch: Stretch; fit: number } | undefined;
  for (const length of lengths) {
    for (const from of clockHours) {
      const stretch = { from, length };
      const within = byClock.filter((_, clockHour) => isWithin(stretch, clockHour));
      const calls = sumOf(within, (sum) => sum.calls);
      const bad = sumOf(within, (sum) => sum.bad);
      const fit = fitOf({ calls, bad }, { calls: all.calls - calls, bad: all.bad - bad });
      if (fit > (best?.fit ?? 1e-9)) best = { stretch, fit };
    }
  }
  return best?.stretch;
}

type Share = { calls: number; bad: number };

/** The logarithm of how much likelier two shares of bad calls are than one; 0 where the inside is not worse. */
function fitOf(inside: Share, outside: Share): number {
  if (inside.calls === 0 || outside.calls === 0) return 0;
  if (inside.bad / inside.calls <= outside.bad / outside.calls) return 0;
  const both = { calls: inside.calls + outside.calls, bad: inside.bad + outside.bad };
  return likelihood(inside) + likelihood(outside) - likelihood(both);
}

function likelihood({ calls, bad }: Share): number {
  const of = (count: number) => (count === 0 ? 0 : count * Math.log(count / calls));
  return of(bad) + of(calls - bad);
}

function chanceOf(
  { from }: Stretch,
  inside: readonly LocalHour[],
  outside: readonly LocalHour[],
): number {
  // A stretch over midnight belongs to the day on which it began.
  const parts = (hours: readonly LocalHour[]) =>
    [
      ...Map.groupBy(hours, ({ localMs }) =>
        Math.floor((localMs - from * hourMs) / dayMs),
      ).values(),
    ].map((part) => sumOf(part, badOf) / sumOf(part, ({ calls }) => calls) >= badShare);
  const [within, beside] = [parts(inside), parts(outside)];
  const countBad = (all: readonly boolean[]) => all.filter(Boolean).length;
  return chance({
    ...{ drawn: within.length, bad: countBad(within) },
    ...{ all: within.length + beside.length, allBad: countBad(within) + countBad(beside) },
  });
}

/** Fisher's: how readily at least so many bad ones are among so many that are drawn from all. */
export function chance(draw: { drawn: number; bad: number; all: number; allBad: number }): number {
  const { drawn, bad, all, allBad } = draw;
  let sum = 0;
  for (let each = bad; each <= Math.min(drawn, allBad); each++) {
    sum += (choose(allBad, each) * choose(all - allBad, drawn - each)) / choose(all, drawn);
  }
  return sum;
}

/** How many ways there are to take so many of all. */
function choose(all: number, taken: number): number {
  if (taken < 0 || taken > all) return 0;
  let ways = 1;
  for (let each = 1; each <= taken; each++) ways = (ways * (all - taken + each)) / each;
  return ways;
}

export function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
