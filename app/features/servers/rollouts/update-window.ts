import * as z from "zod/mini";
import { nextHour } from "~/ui/time-zones";
import { hoursEnd } from "../hours";

const hour = z.int().check(z.gte(0), z.lte(23));

/** The hours of a day in which servers begin a rollout, by the clocks of the workspace's time zone: from 2 until 5. */
export const updateWindow = z.strictObject({ from: hour, until: hour });
export type UpdateWindow = z.infer<typeof updateWindow>;

const hourMs = 3_600_000;
/** With the wait for its beginning it fits into the two days that a machine takes (approval.py). */
const maxHours = 12;
/** With less left of the present window people are given the next one. */
const minLeftMs = hourMs / 2;

const hoursOf = ({ from, until }: UpdateWindow): number => (until - from + 24) % 24;

export const isUpdateWindow = (window: UpdateWindow): boolean =>
  hoursOf(window) > 0 && hoursOf(window) <= maxHours;

/** The window that is open now or opens next, in milliseconds since 1970. It is never longer than it says, also where clocks are changed. */
export function nextWindow(
  window: UpdateWindow,
  zone: string,
  now: number,
): { beginsAt: number; endsAt: number } {
  const present = hoursEnd(window, zone, now);
  const isOpen = present !== undefined && present - now >= minLeftMs;
  const beginsAt = isOpen ? now : nextHour(window.from, zone, now);
  const until = isOpen ? present : nextHour(window.until, zone, beginsAt);
  return { beginsAt, endsAt: Math.min(until, beginsAt + hoursOf(window) * hourMs) };
}
