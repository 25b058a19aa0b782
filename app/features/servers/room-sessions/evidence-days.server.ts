import { dayOfCounts, type EvidenceDay, type NetworkSum } from "./evidence-sums";

// What is read of the counts of days, in the table of evidence-table.server.ts.

export const shownDays = 30;
const shownNetworks = 10;

type Count = { name: string; count: number };

/** The days on which something was counted, the newest first. */
function newestDaysOf(sql: SqlStorage): number[] {
  const days: number[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; days.length < shownDays; ) {
    const [row] = sql
      .exec<{ day: number | null }>(
        "select max(day) as day from evidence_days where day < ?",
        before,
      )
      .toArray();
    if (row?.day === null || row?.day === undefined) break;
    days.push(row.day);
    before = row.day;
  }
  return days;
}

/** The counts of a day whose names are in this range. A day may have tens of thousands of networks, of which none else is read. */
const countsBetween = (sql: SqlStorage, day: number, from: string, until: string): Count[] =>
  sql
    .exec<Count>(
      "select name, count from evidence_days where day = ? and name >= ? and name < ?",
      ...[day, from, until],
    )
    .toArray();

export function daysOf(sql: SqlStorage): EvidenceDay[] {
  // All but "bad" and "net".
  const ranges = [
    ...[["", "bad "] as const, ["bad!", "net "] as const],
    ["net!", "\uffff"] as const,
  ];
  return newestDaysOf(sql)
    .map((day) => {
      const counts = ranges.flatMap(([from, until]) => countsBetween(sql, day, from, until));
      return dayOfCounts(day, new Map(counts.map(({ name, count }) => [name, count])));
    })
    .filter(
      ({ calls, failures, surplus }) =>
        calls > 0 || surplus > 0 || Object.keys(failures).length > 0,
    );
}

export function networksOf(sql: SqlStorage, wanted: readonly string[]): NetworkSum[] {
  const days = newestDaysOf(sql);
  const recent = days.filter((day) => day > (days[0] ?? 0) - shownDays);
  const bad = new Map<string, number>();
  for (const { name, count } of recent.flatMap((day) => countsBetween(sql, day, "bad ", "bad!"))) {
    bad.set(name.slice(4), (bad.get(name.slice(4)) ?? 0) + count);
  }
  const worst = [...bad]
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, shownNetworks)
    .map(([network]) => network);
  return [...new Set([...worst, ...wanted.filter(Boolean)])]
    .map((network) => ({
      network,
      calls: recent.reduce((sum, day) => sum + countOfNetwork(sql, day, network), 0),
      bad: bad.get(network) ?? 0,
    }))
    .filter(({ calls }) => calls > 0);
}

function countOfNetwork(sql: SqlStorage, day: number, network: string): number {
  const [row] = sql
    .exec<{ count: number }>(
      "select count from evidence_days where day = ? and name = ?",
      ...[day, `net ${network}`],
    )
    .toArray();
  return row?.count ?? 0;
}
