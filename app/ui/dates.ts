/**
 * Dates and times as sentences have them: in American English, and in UTC, so that the server and every browser
 * say the same. A time is ISO 8601 text or a `Date`, never a number: Stripe counts seconds, JavaScript
 * milliseconds.
 */
type Time = string | Date;

export const dayMs = 86_400_000;

/** Of milliseconds since 1970: the day (UTC), counted from 1970. */
export function dayNumberOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** Where days of payments stand: somewhere it is the next day already, or still the one before. */
export const daysInUtc = "Days are those of Coordinated Universal Time (UTC).";

/** A time as Stripe gives it, in seconds since 1970. */
export function fromSeconds(seconds: number): Date {
  return new Date(seconds * 1_000);
}

/** "November 22, 2026". Null, where Stripe names no date, is "an unknown date". */
export function dayOf(time: Time | null): string {
  return time === null ? "an unknown date" : inWords(time, { dateStyle: "long" });
}

/** "Nov 22, 2026", for lists. */
export function shortDayOf(time: Time): string {
  return inWords(time, { dateStyle: "medium" });
}

/** "Sun, Nov 22", for a calendar. */
export function weekdayOf(time: Time): string {
  return inWords(time, { weekday: "short", day: "numeric", month: "short" });
}

/** "November 2026". */
export function monthOf(time: Time): string {
  return inWords(time, { month: "long", year: "numeric" });
}

/** "November 22, 2026 at 8:30 AM UTC". */
export function momentOf(time: Time): string {
  return `${inWords(time, { dateStyle: "long", timeStyle: "short" })} UTC`;
}

/** "Nov 22, 2026, 8:30 AM UTC", for lists. */
export function shortMomentOf(time: Time): string {
  return `${inWords(time, { dateStyle: "medium", timeStyle: "short" })} UTC`;
}

/** "8:30 AM UTC". */
export function clockTimeOf(time: Time): string {
  return `${inWords(time, { timeStyle: "short" })} UTC`;
}

/** "2026-11-22". */
export function isoDayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** "Nov 22, 2026, 8:30 AM" in the reader's time zone, which only a browser knows. */
export function localMomentOf(time: Date): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" }).format(time);
}

/** "Nov 22, 2026" and "8:30 AM" in the reader's time zone; `isToday` there at the time `now`. */
export function localDayAndTimeOf(
  time: Date,
  now: Date,
): { day: string; time: string; isToday: boolean } {
  const dayOfTime = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });
  const day = dayOfTime.format(time);
  return {
    day,
    time: new Intl.DateTimeFormat("en-US", { timeStyle: "short" }).format(time),
    isToday: day === dayOfTime.format(now),
  };
}

/** "Nov 22" and "8:30 AM", for a chart: in the reader's time zone, or in `zone`. */
export function tickOf(time: Date, zone?: "UTC"): { day: string; time: string } {
  const inZone = zone ? { timeZone: zone } : {};
  const written = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { ...inZone, ...form }).format(time);
  return {
    day: written({ month: "short", day: "numeric" }),
    time: written({ timeStyle: "short" }),
  };
}

function inWords(time: Time, form: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...form }).format(new Date(time));
}
