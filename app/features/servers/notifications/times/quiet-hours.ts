import { clockOf, nextHour, wallTimeOf } from "~/ui/time-zones";

/** From one hour of the day until another, by the clocks of the workspace's time zone: 22 until 7 is a night. */
export type QuietHours = { from: number; until: number };

/** When the quiet hours end in which a moment is, in milliseconds since 1970; undefined outside of them. */
export function quietUntil(
  quiet: QuietHours | undefined,
  zone: string,
  now: number,
): number | undefined {
  if (!quiet) return;
  const { from, until } = quiet;
  const hour = Number(wallTimeOf(now, zone).slice(11, 13));
  const isQuiet = from < until ? hour >= from && hour < until : hour >= from || hour < until;
  return isQuiet ? nextHour(until, zone, now) : undefined;
}

/** The hours of a day as the options of a form. */
export const hourOptions = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: clockOf(hour),
}));

/** "from 22:00 until 07:00". */
export const quietWords = ({ from, until }: QuietHours): string =>
  `from ${clockOf(from)} until ${clockOf(until)}`;
