/** A date and time without a zone, as in a datetime-local field: `2026-03-29T02:30`. */
export type WallTime = string;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Whether this is a time zone of the IANA database, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  try {
    return name !== "" && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** A wall time to the minute; undefined for one that does not exist, such as 30 February or 25:00. */
export function readWallTime(text: string): WallTime | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)) return;
  const wall = text.slice(0, 16);
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return;
  return new Date(asUtc).toISOString().startsWith(wall) ? wall : undefined;
}

/**
 * The moments, in milliseconds since 1970, at which the clocks of a zone show this: usually one, none
 * in the hour that clocks skip in spring, two in the hour that they repeat in autumn. Earliest first.
 */
export function momentsOf(wall: WallTime, zone: string): number[] {
  const asUtc = Date.parse(`${wall}Z`);
  const offsets = new Set(
    [asUtc - dayMs, asUtc + dayMs].map((moment) => offsetMinutes(moment, zone)),
  );
  return [...offsets]
    .map((offset) => asUtc - offset * minuteMs)
    .filter((moment) => wallTimeOf(moment, zone) === wall)
    .toSorted((one, other) => one - other);
}

/** What the clocks of a zone show at a moment. */
export function wallTimeOf(moment: number, zone: string): WallTime {
  return shifted(moment, offsetMinutes(moment, zone)).slice(0, 16);
}

/** A moment as RFC 3339 has it with the zone's offset: `2026-03-29T03:30:00+02:00`. */
export function withOffset(moment: number, zone: string): string {
  const offset = offsetMinutes(moment, zone);
  const twoDigits = (value: number) => String(Math.trunc(value)).padStart(2, "0");
  const size = Math.abs(offset);
  return `${shifted(moment, offset).slice(0, 19)}${offset < 0 ? "-" : "+"}${twoDigits(size / 60)}:${twoDigits(size % 60)}`;
}

/** The next moment at which the clocks of a zone show this hour; where they skip it, the moment in which they do so. */
export function nextHour(hour: number, zone: string, now: number): number {
  const today = wallTimeOf(now, zone).slice(0, 10);
  const next = [0, 1, 2].flatMap((days) => {
    const day = dayAfter(today, days);
    const shown = momentsOf(`${day}T${clockOf(hour)}`, zone);
    return shown.length > 0 ? shown : momentsOf(`${day}T${clockOf(hour + 1)}`, zone);
  });
  return next.find((moment) => moment > now) ?? now + dayMs;
}

/** "09:00". */
export const clockOf = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** The first moment of a day, `2026-03-29`; some zones change their clocks at midnight. */
export function startOfDay(day: string, zone: string): number {
  for (const time of ["00:00", "00:30", "01:00", "02:00"]) {
    const [first] = momentsOf(`${day}T${time}`, zone);
    if (first !== undefined) return first;
  }
  return Date.parse(`${day}T00:00Z`);
}

/** The day that is `days` days later. */
export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

function shifted(moment: number, minutes: number): string {
  return new Date(moment + minutes * minuteMs).toISOString();
}

/** Making one takes longer than all else here. */
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const made =
    offsetFormats.get(zone) ??
    new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  offsetFormats.set(zone, made);
  return made;
}

/** How many minutes the clocks of a zone are ahead of UTC at a moment. */
function offsetMinutes(moment: number, zone: string): number {
  const name = offsetFormat(zone)
    .formatToParts(moment)
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}
