/** What one day of a server comes to. A session counts on the day on which it began; time on the days in which it was spent. */
export type DaySum = {
  day: number;
  sessions: number;
  joined: number;
  aborted: number;
  /** In milliseconds, of all participants. */
  stayed: number;
  /** The most participants at once. */
  peak: number;
  /** Events that rolled away before the console had them, and those that LiveKit had not signed. */
  lost: number;
  unverified: number;
};

/** What is added, by the day since 1970. */
export type DaySums = Map<number, Partial<Omit<DaySum, "day">>>;

/** Sums are stored for two years. */
const retentionDays = 731;

export function addToDays(sql: SqlStorage, sums: DaySums): void {
  for (const [day, sum] of sums) {
    sql.exec(
      `insert into days (day, sessions, joined, aborted, stayed, peak, lost, unverified)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (day) do update set sessions = sessions + excluded.sessions, joined = joined + excluded.joined,
         aborted = aborted + excluded.aborted, stayed = stayed + excluded.stayed,
         peak = max(peak, excluded.peak), lost = lost + excluded.lost,
         unverified = unverified + excluded.unverified`,
      ...[day, sum.sessions ?? 0, sum.joined ?? 0, sum.aborted ?? 0, sum.stayed ?? 0],
      ...[sum.peak ?? 0, sum.lost ?? 0, sum.unverified ?? 0],
    );
  }
}

/** The sums of the last days, the newest first. */
export function newestDays(sql: SqlStorage, count: number): DaySum[] {
  return sql.exec<DaySum>("select * from days order by day desc limit ?", count).toArray();
}

export function removeOldDays(sql: SqlStorage, today: number): void {
  sql.exec("delete from days where day < ?", today - retentionDays);
}
