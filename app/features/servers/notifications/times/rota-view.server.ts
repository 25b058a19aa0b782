import { weekdayOf } from "~/ui/dates";
import { clockOf, dayAfter, wallTimeOf } from "~/ui/time-zones";
import type { ChannelView } from "../channel";
import type { AlertTimes } from "./alert-times";
import { firstNow, firstOn, handoverDay, orderOf, personOf, type Rota } from "./rota";
import { personLabel } from "./rota-words";

export type RotaView = ReturnType<typeof rotaView>;

/** What the page of alerts shows of the time zone and the rota; `isWhole`: with whole addresses. */
export function rotaView(
  { zone, rota }: AlertTimes,
  channels: readonly ChannelView[],
  now: number,
  isWhole: boolean,
) {
  const named = (person: string) => ({ id: person, label: personLabel(channels, person, isWhole) });
  const reached = [...new Set(channels.flatMap((each) => personOf(each) ?? []))];
  const candidates = reached.map(named);
  return { zone, candidates, rota: rota && weeksOf(rota, zone, { channels, now, named, reached }) };
}

function weeksOf(
  rota: Rota,
  zone: string,
  {
    channels,
    now,
    named,
    reached,
  }: {
    channels: readonly ChannelView[];
    now: number;
    named: (person: string) => { id: string; label: string };
    reached: readonly string[];
  },
) {
  const isReachable = (person: string) =>
    channels.some((each) => personOf(each) === person && !each.failed);
  const began = handoverDay(rota, zone, now);
  const weekWords = (weeks: number) =>
    `${weekdayOf(dayAfter(began, 7 * weeks))}, ${clockOf(rota.hour)}`;
  const [firstOne, ...others] = [...rota.people.keys()].map((weeks) => {
    const day = dayAfter(began, 7 * weeks);
    const person =
      weeks === 0 ? firstNow(rota, zone, now, isReachable) : firstOn(rota, day, day, isReachable);
    return { from: weekWords(weeks), person };
  });
  const today = wallTimeOf(now, zone).slice(0, 10);
  return {
    first: firstOne?.person === undefined ? undefined : named(firstOne.person).label,
    until: weekWords(1),
    later: others.map(({ from, person }) => ({
      from,
      who: person === undefined ? "nobody" : named(person).label,
    })),
    /** The one whose week it is stands first. Somebody without a channel is no choice of the form. */
    order: orderOf(rota, began)
      .filter((person) => reached.includes(person))
      .map(named),
    weekday: new Date(rota.from).getUTCDay(),
    hour: rota.hour,
    absences: rota.absences
      .filter(({ until }) => until >= today)
      .map((each) => ({
        ...each,
        who: named(each.person).label,
        days: `${weekdayOf(each.from)} to ${weekdayOf(each.until)}`,
      })),
  };
}
