import { type Fields, textOf } from "./api.ts";

export type Moment = { at: number; timeZone: string };

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/;
const timeWithOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads `start` or `end` of an event: a time with an offset, or a local one with its zone. */
export function momentOf(field: Fields, which: "start" | "end"): Moment | { problem: string } {
  const dateTime = textOf(field.dateTime) ?? "";
  const timeZone = textOf(field.timeZone);
  if (timeZone && !isZone(timeZone)) {
    return { problem: `Invalid time zone definition for ${which} time.` };
  }
  if (timeWithOffset.test(dateTime))
    return { at: Date.parse(dateTime), timeZone: timeZone ?? "UTC" };
  if (!localTime.test(dateTime)) return { problem: `Missing ${which} time.` };
  if (!timeZone) return { problem: `Missing time zone definition for ${which} time.` };
  return { at: instantOf(dateTime, timeZone), timeZone };
}

/** A moment as a zone's clocks show it, with their offset: `2026-11-22T09:00:00+01:00`. */
export function offsetTime(at: number, timeZone: string): string {
  if (timeZone === "UTC") return `${new Date(at).toISOString().slice(0, 19)}Z`;
  const offset = offsetMinutes(at, timeZone);
  const sign = offset < 0 ? "-" : "+";
  const minutes = Math.abs(offset);
  const pad = (value: number) => String(value).padStart(2, "0");
  const local = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function isZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone }));
  } catch {
    return false;
  }
}

/**
 * The first moment at which the zone's clocks show this time. For a time that the clocks skip, it is the moment at
 * which they would show it if they had not been changed.
 */
function instantOf(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const offsets = [asUtc - 86_400_000, asUtc + 86_400_000].map((at) => offsetMinutes(at, timeZone));
  const candidates = offsets.map((offset) => asUtc - offset * 60_000);
  const exact = candidates.filter((at) => at + offsetMinutes(at, timeZone) * 60_000 === asUtc);
  return exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? asUtc);
}

function offsetMinutes(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const utcTime = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return Math.round((utcTime - Math.floor(at / 1000) * 1000) / 60_000);
}
