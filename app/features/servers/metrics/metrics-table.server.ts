import {
  dayKey,
  dayOf,
  dayOfKey,
  type Figure,
  laterFigures,
  minuteMs,
  minutesOfQuarter,
  packDay,
  quarterMs,
  quarterOf,
  quartersOfDay,
  readDay,
  readQuarter,
  type Sample,
  type Spreads,
  spreadsOf,
  withSample,
} from "~/features/servers/metrics/packed-figures";
import {
  isOfMinutes,
  type Range,
  type Series,
  SeriesOfRange,
} from "~/features/servers/metrics/series";
import { saveSetting, settingIn } from "../storage/tables.server";

// The figures of a fleet's servers over time, the later ones in a column of their own. `quarters` has a row for each server and quarter of an hour, with its
// minutes, for 48 hours. `days` has a row for each server and day that has ended, with its quarters, for 90 days. Each
// server has a number in its fleet, because its id would be a tenth of all that is kept.

const minuteRetentionMs = 48 * 60 * minuteMs;
const retentionDays = 90;
const latestMs = 10 * minuteMs;

const lastNumber = "last-number";

/**
 * The number of a server that is added now. None is used twice, which would give a server another one's figures: before
 * rows of servers are deleted, `saveLastNumber` notes the highest.
 */
export function nextNumber(sql: SqlStorage): number {
  const { highest } = sql
    .exec<{ highest: number }>("select coalesce(max(number), 0) as highest from servers")
    .one();
  return Math.max(highest, settingIn<number>(sql, lastNumber) ?? 0) + 1;
}

export function saveLastNumber(sql: SqlStorage): void {
  saveSetting(sql, lastNumber, nextNumber(sql) - 1);
}

/** Removes the figures of the server with this number. */
export function removeFigures(sql: SqlStorage, number: number, now: number): void {
  const today = dayOf(quarterOf(now));
  const keys = Array.from({ length: retentionDays + 1 }, (_, days) => dayKey(today - days, number));
  sql.exec("delete from quarters where server = ?", number);
  sql.exec("delete from days where id in (select value from json_each(?))", JSON.stringify(keys));
}

/** Writes one row. */
export function saveSample(sql: SqlStorage, id: string, sample: Sample): void {
  const number = numberOf(sql, id);
  if (number === undefined) return;
  const quarter = quarterOf(sample.at);
  const [stored] = sql
    .exec<Omit<Quarter, "quarter">>(
      "select minutes, later from quarters where server = ? and quarter = ?",
      ...[number, quarter],
    )
    .toArray();
  const later = stored?.later ?? undefined;
  const saysLater = laterFigures.some((figure) => sample[figure] !== undefined);
  sql.exec(
    `insert into quarters (server, quarter, minutes, later) values (?, ?, ?, ?)
     on conflict do update set minutes = excluded.minutes, later = excluded.later`,
    ...[number, quarter, withSample(stored?.minutes, sample)],
    later || saysLater ? withSample(later, sample, laterFigures) : null,
  );
}

/** The newest minute of a server of the last ten that says anything. */
export function latestSample(sql: SqlStorage, id: string, now: number): Sample | undefined {
  const number = numberOf(sql, id);
  if (number === undefined) return;
  const minutes = new Map<number, Sample>();
  const add = (at: number, figure: Figure, value: number) => {
    minutes.set(at, { ...(minutes.get(at) ?? { at }), [figure]: value });
  };
  for (const each of quartersFrom(sql, number, quarterOf(now - latestMs))) {
    readQuarter(each.minutes, each.quarter, add);
    if (each.later) readQuarter(each.later, each.quarter, add, laterFigures);
  }
  const newest = Math.max(...minutes.keys());
  return newest >= now - latestMs ? minutes.get(newest) : undefined;
}

/** The figures of a server over a range that ends now: from its days, and for days that are not packed from minutes. */
export function seriesOf(sql: SqlStorage, id: string, range: Range, now: number): Series {
  const series = new SeriesOfRange(range, now);
  const number = numberOf(sql, id);
  if (number === undefined) return series.series();
  const packed = isOfMinutes(range) ? new Set<number>() : addDays(sql, number, series, now);
  for (const { quarter, minutes, later } of quartersFrom(sql, number, quarterOf(series.from))) {
    const isPacked = packed.has(dayOf(quarter));
    const add = (at: number, figure: Figure, value: number) => {
      if (isPacked) series.addLast(at, figure, value);
      else series.addMinute(at, figure, value);
    };
    readQuarter(minutes, quarter, add);
    if (later) readQuarter(later, quarter, add, laterFigures);
  }
  return series.series();
}

/** Adds the packed days, and answers which there were. */
function addDays(
  sql: SqlStorage,
  number: number,
  series: SeriesOfRange,
  now: number,
): ReadonlySet<number> {
  const [first, today] = [dayOf(quarterOf(series.from)), dayOf(quarterOf(now))];
  const keys = Array.from({ length: today - first }, (_, day) => dayKey(first + day, number));
  const rows = sql.exec<{ id: number; quarters: ArrayBuffer; later: ArrayBuffer | null }>(
    "select id, quarters, later from days where id in (select value from json_each(?))",
    JSON.stringify(keys),
  );
  const days = new Set<number>();
  for (const { id, quarters, later } of rows) {
    const day = dayOfKey(id);
    days.add(day);
    const add: Parameters<typeof readDay>[1] = (quarter, figure, least, mean, most) => {
      const at = (day * quartersOfDay + quarter) * quarterMs;
      series.add(at, figure, least, mean, most, minutesOfQuarter);
    };
    readDay(quarters, add);
    if (later) readDay(later, add, laterFigures);
  }
  return days;
}

/**
 * Packs each day that has ended and is not packed yet, and deletes what is older than is kept: to be called once a day.
 * When it is called late nothing is lost, as minutes are kept until their day is packed.
 */
export function packDays(sql: SqlStorage, now: number): void {
  const today = dayOf(quarterOf(now));
  const numbers = sql.exec<{ number: number }>("select number from servers order by number");
  const ended = numbers
    .toArray()
    .map(({ number }) => ({ number, days: daysToPack(sql, number, today) }));
  // Day by day, so that the rows of `days` are appended.
  for (const day of new Set(
    ended.flatMap(({ days }) => [...days.keys()]).toSorted((a, b) => a - b),
  )) {
    for (const { number, days } of ended) {
      const packed = days.get(day);
      if (packed)
        sql.exec(
          "insert into days (id, quarters, later) values (?, ?, ?)",
          ...[dayKey(day, number), ...packed],
        );
    }
  }
  const oldest = Math.min(quarterOf(now - minuteRetentionMs), today * quartersOfDay);
  for (const { number } of ended) {
    sql.exec("delete from quarters where server = ? and quarter < ?", number, oldest);
  }
  sql.exec("delete from days where id < ?", dayKey(today - retentionDays, 0));
}

type PackedDay = [quarters: ArrayBuffer, later: ArrayBuffer | null];

/** Each day of a server that has ended and is not in `days` yet, packed. */
function daysToPack(sql: SqlStorage, number: number, today: number): Map<number, PackedDay> {
  const days = new Map<number, { quarters: Spreads[]; later: Spreads[] }>();
  for (const { quarter, minutes, later } of quartersFrom(sql, number, 0)) {
    const day = dayOf(quarter);
    if (day >= today) break;
    const spreads = days.get(day) ?? { quarters: [], later: [] };
    const place = quarter - day * quartersOfDay;
    spreads.quarters[place] = spreadsOf(minutes);
    if (later) spreads.later[place] = spreadsOf(later, laterFigures);
    days.set(day, spreads);
  }
  return new Map(
    [...days]
      .filter(([day]) => !isPacked(sql, dayKey(day, number)))
      .map(([day, { quarters, later }]) => [
        day,
        [packDay(quarters), later.length > 0 ? packDay(later, laterFigures) : null],
      ]),
  );
}

function isPacked(sql: SqlStorage, key: number): boolean {
  return sql.exec("select 1 from days where id = ?", key).toArray().length > 0;
}

type Quarter = { quarter: number; minutes: ArrayBuffer; later: ArrayBuffer | null };

function quartersFrom(sql: SqlStorage, number: number, first: number) {
  return sql
    .exec<Quarter>(
      "select quarter, minutes, later from quarters where server = ? and quarter >= ? order by quarter",
      ...[number, first],
    )
    .toArray();
}

function numberOf(sql: SqlStorage, id: string): number | undefined {
  return sql.exec<{ number: number }>("select number from servers where id = ?", id).toArray()[0]
    ?.number;
}
