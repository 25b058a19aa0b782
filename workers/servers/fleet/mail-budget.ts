import { keepSetting, settingIn } from "./settings-table";

/**
 * How many mails a workspace's alerts may be. Beyond them a message waits for the next hour or day, and what waits
 * together becomes one. So a storm of incidents leaves what the mail service allows to other workspaces.
 */
const most = { hour: 20, day: 60 } as const;
const lengths = { hour: 3_600_000, day: 86_400_000 } as const;

type Spent = { hour: number; inHour: number; day: number; inDay: number };

/** Takes one mail from the budget of this hour and day (UTC); false where nothing is left of it. */
export function takeMail(sql: SqlStorage, now: number): boolean {
  const [hour, day] = [Math.floor(now / lengths.hour), Math.floor(now / lengths.day)];
  const spent = settingIn<Spent>(sql, "mails");
  const inHour = spent?.hour === hour ? spent.inHour : 0;
  const inDay = spent?.day === day ? spent.inDay : 0;
  if (inHour >= most.hour || inDay >= most.day) return false;
  keepSetting(sql, "mails", { hour, inHour: inHour + 1, day, inDay: inDay + 1 } satisfies Spent);
  return true;
}
