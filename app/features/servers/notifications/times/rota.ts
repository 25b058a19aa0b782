import { dayAfter, wallTimeOf } from "~/ui/time-zones";
import type { Channel, Turn } from "../channel";
import { covers } from "../channel-limits";

// Who is first, week by week. Days are "2026-11-30", and they and hours are by the clocks of the workspace's time zone.

export type Rota = {
  /** Accounts of members. Each is first for a week, in this order. */
  people: readonly string[];
  /** The day of a handover: that at which the first of them began. */
  from: string;
  /** The hour of each handover. */
  hour: number;
  absences: readonly Absence[];
};

/** Somebody is not told first, from the first day until the last one, that one too. */
export type Absence = { person: string; from: string; until: string };

/** A person in the rota's order who could be first: is not away, and something reaches them. */
type IsReachable = (person: string) => boolean;

const weekMs = 7 * 86_400_000;

/** The day of the last handover: the week that lasts began with it. */
export function handoverDay(
  { from, hour }: Pick<Rota, "from" | "hour">,
  zone: string,
  now: number,
): string {
  const wall = wallTimeOf(now, zone);
  const today = wall.slice(0, 10);
  const day = Number(wall.slice(11, 13)) < hour ? dayAfter(today, -1) : today;
  return dayAfter(from, 7 * Math.floor((Date.parse(day) - Date.parse(from)) / weekMs));
}

/** The last day, today or before, that is this day of the week: 0 is Sunday. */
export function lastWeekday(weekday: number, hour: number, zone: string, now: number): string {
  const today = wallTimeOf(now, zone).slice(0, 10);
  const since = (new Date(today).getUTCDay() - weekday + 7) % 7;
  return handoverDay({ from: dayAfter(today, -since), hour }, zone, now);
}

/** Whose week it is that begins with the handover of that day, and after them those who stand in, in this order. */
export function orderOf(
  { people, from }: Pick<Rota, "people" | "from">,
  handover: string,
): readonly string[] {
  const weeks = Math.round((Date.parse(handover) - Date.parse(from)) / weekMs);
  const at = ((weeks % people.length) + people.length) % people.length;
  return [...people.slice(at), ...people.slice(0, at)];
}

/** Who is first now. Undefined where nobody of the rota can be: then each channel has its own turn. */
export function firstNow(
  rota: Rota,
  zone: string,
  now: number,
  isReachable: IsReachable,
): string | undefined {
  const today = wallTimeOf(now, zone).slice(0, 10);
  return firstOn(rota, handoverDay(rota, zone, now), today, isReachable);
}

/** Who is first on a day of the week that begins with the handover of that day. */
export function firstOn(
  rota: Rota,
  handover: string,
  day: string,
  isReachable: IsReachable,
): string | undefined {
  const isAway = (person: string) =>
    rota.absences.some((each) => each.person === person && each.from <= day && day <= each.until);
  return orderOf(rota, handover).find((person) => !isAway(person) && isReachable(person));
}

type Reaching = Pick<Channel, "kind" | "addedBy"> & { person?: string };

/** Whom a channel reaches who could be in a rota: the member of a mail, or of a browser. */
export function personOf(channel: Reaching): string | undefined {
  if (channel.kind === "mail") return channel.person;
  return channel.kind === "push" ? channel.addedBy : undefined;
}

/**
 * The channels with the turns that they have now: of those of the rota the one whose week it is comes first, and the
 * others second. `deployment`: of the server in question, since somebody may be told of others alone.
 */
export function withTurnsNow(
  channels: readonly Channel[],
  rota: Rota | undefined,
  zone: string,
  now: number,
  deployment?: string,
): Channel[] {
  const reaches = (channel: Channel) => deployment === undefined || covers(channel, deployment);
  const first =
    rota &&
    firstNow(rota, zone, now, (person) =>
      channels.some((each) => personOf(each) === person && !each.failed && reaches(each)),
    );
  if (!rota || first === undefined) return [...channels];
  return channels.map((channel) => {
    const person = personOf(channel);
    if (person === undefined || !rota.people.includes(person)) return channel;
    const turn: Turn = person === first ? "first" : "second";
    return { ...channel, turn };
  });
}
