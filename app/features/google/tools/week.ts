import { dayAfter, startOfDay, wallTimeOf } from "~/ui/time-zones";

/** A period between two moments, in milliseconds since 1970. */
export type Period = { start: number; end: number };

/** A part of a day in minutes since midnight by the clocks of the zone; 1440 is the midnight that ends the day. */
export type Span = { kind: "busy" | "free"; from: number; to: number };

export type Day = { date: string; spans: readonly Span[] };

export const minutesOfDay = 1440;
const minuteMs = 60_000;

/**
 * The busy and the free parts of each day of a window, in a time zone. A period across midnight counts for both
 * days. What is outside the window is neither busy nor free.
 */
export function weekOf(window: Period, busy: readonly Period[], zone: string): Day[] {
  const days: Day[] = [];
  let date = wallTimeOf(window.start, zone).slice(0, 10);
  for (;;) {
    const start = startOfDay(date, zone);
    if (start >= window.end) return days;
    const next = dayAfter(date);
    const day = { start, end: startOfDay(next, zone) };
    days.push({ date, spans: spansOf(day, clipped(day, window), busy, zone) });
    date = next;
  }
}

function spansOf(
  day: Period,
  part: Period,
  busy: readonly Period[],
  zone: string,
): readonly Span[] {
  const visibleSpans = (periods: readonly Period[]) =>
    joined(periods.flatMap((period) => visiblePeriods(clipped(period, part), day, zone)));
  const busySpans = visibleSpans(busy);
  const spans: Span[] = [];
  const add = (kind: Span["kind"], { start, end }: Period) => {
    if (start < end) spans.push({ kind, from: start, to: end });
  };
  for (const { start, end } of visibleSpans([part])) {
    let free = start;
    for (const period of busySpans) {
      if (period.start < start || period.start >= end) continue;
      add("free", { start: free, end: period.start });
      add("busy", period);
      free = period.end;
    }
    add("free", { start: free, end });
  }
  return spans;
}

/**
 * A period of one day as clocks show it, in minutes since midnight. Where summer time ends in it these are two periods
 * that overlap: a minute that clocks show twice is busy if either is.
 */
function visiblePeriods({ start, end }: Period, day: Period, zone: string): Period[] {
  if (start >= end) return [];
  const minute = (moment: number) => {
    if (moment === day.end) return minutesOfDay;
    const [hours = 0, minutes = 0] = wallTimeOf(moment, zone).slice(11).split(":").map(Number);
    return moment === day.start ? 0 : hours * 60 + minutes;
  };
  const span = { start: minute(start), end: minute(end) };
  const first = Math.floor(start / minuteMs);
  const last = Math.floor(end / minuteMs);
  if (span.end - span.start >= last - first) return [span];
  // Finds the minute in which the clocks went back.
  let [before, after] = [first, last];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const goesOn = minute(middle * minuteMs) - span.start === middle - first;
    if (goesOn) before = middle;
    else after = middle;
  }
  return [
    { start: span.start, end: span.start + after - first },
    { start: span.end - (last - after), end: span.end },
  ];
}

function clipped(period: Period, to: Period): Period {
  return { start: Math.max(period.start, to.start), end: Math.min(period.end, to.end) };
}

/** Sorts periods, and joins those that overlap or touch. */
function joined(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of periods.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last && period.start <= last.end) last.end = Math.max(last.end, period.end);
    else result.push({ ...period });
  }
  return result;
}
