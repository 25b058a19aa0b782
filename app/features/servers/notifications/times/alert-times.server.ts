import { isTimeZone } from "~/ui/time-zones";
import { saveSetting, settingIn } from "../../storage/tables.server";
import type { Channel } from "../channel";
import type { AlertTimes, AlertTimesChange } from "./alert-times";
import { lastWeekday, personOf, type Rota, withTurnsNow } from "./rota";

// In which time zone a workspace reads its clocks, and its rota, both as settings of a fleet: the Worker of the release
// before does not read them, and then each channel has its own turn.

const zoneSetting = "time-zone";
const rotaSetting = "rota";
const maxAbsences = 50;

/** UTC where nobody has chosen one. */
export const zoneIn = (sql: SqlStorage): string => settingIn(sql, zoneSetting) ?? "UTC";

const rotaIn = (sql: SqlStorage): Rota | undefined =>
  settingIn<Rota | null>(sql, rotaSetting) ?? undefined;

/** The channels with the turns that they have now, for a server of this deployment. */
export function channelsNow(
  sql: SqlStorage,
  channels: readonly Channel[],
  now: number,
  deployment?: string,
): Channel[] {
  const rota = rotaIn(sql);
  return rota ? withTurnsNow(channels, rota, zoneIn(sql), now, deployment) : [...channels];
}

export function alertTimesIn(sql: SqlStorage): AlertTimes {
  const rota = rotaIn(sql);
  return { zone: zoneIn(sql), ...(rota ? { rota } : {}) };
}

/** Whether it was changed: not where there is no rota to change, or no such zone or person. */
export function changeAlertTimes(
  sql: SqlStorage,
  change: AlertTimesChange,
  { channels, now }: { channels: readonly Channel[]; now: number },
): boolean {
  const rota = rotaIn(sql);
  const saveRota = (changed: Rota | null): true => {
    saveSetting(sql, rotaSetting, changed);
    return true;
  };
  if ("zone" in change) {
    if (!isTimeZone(change.zone)) return false;
    saveSetting(sql, zoneSetting, change.zone);
    return true;
  }
  if ("rota" in change) {
    if (!change.rota) return saveRota(null);
    const { people, weekday, hour } = change.rota;
    const reached = new Set(channels.flatMap((each) => personOf(each) ?? []));
    if (people.length === 0 || people.some((person) => !reached.has(person))) return false;
    const from = lastWeekday(weekday, hour, zoneIn(sql), now);
    const absences = (rota?.absences ?? []).filter(({ person }) => people.includes(person));
    return saveRota({ people, from, hour, absences });
  }
  if (!rota) return false;
  const { absences } = rota;
  const { person, from, until } = change.absence;
  const isSame = (each: Rota["absences"][number]) =>
    each.person === person && each.from === from && each.until === until;
  const others = absences.filter((each) => !isSame(each));
  if (change.isOver) return saveRota({ ...rota, absences: others });
  if (!rota.people.includes(change.absence.person)) return false;
  // The oldest give way.
  const all = [...others, change.absence].sort((one, other) => one.from.localeCompare(other.from));
  return saveRota({ ...rota, absences: all.slice(-maxAbsences) });
}
