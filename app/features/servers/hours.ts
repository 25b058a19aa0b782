import { clockOf, nextHour, wallTimeOf } from "~/ui/time-zones";

/** From one hour of the day until another, by the clocks of the workspace's time zone: 22 until 7 is a night. */
export type Hours = { from: number; until: number };

/** When the hours end in which a moment is, in milliseconds since 1970; undefined outside of them. */
export function hoursEnd(hours: Hours | undefined, zone: string, now: number): number | undefined {
  if (!hours) return;
  const { from, until } = hours;
  const hour = Number(wallTimeOf(now, zone).slice(11, 13));
  const isWithin = from < until ? hour >= from && hour < until : hour >= from || hour < until;
  return isWithin ? nextHour(until, zone, now) : undefined;
}

/** The hours of a day as the options of a form. */
export const hourOptions = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: clockOf(hour),
}));

/** "from 22:00 until 07:00". */
export const hoursWords = ({ from, until }: Hours): string =>
  `from ${clockOf(from)} until ${clockOf(until)}`;
