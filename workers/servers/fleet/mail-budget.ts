import { keepSetting, settingIn } from "./tables/settings-table";

/**
 * How many mails a workspace's alerts may be. Beyond them a message waits for the next hour or day, and what waits
 * together becomes one. So a storm of incidents leaves what the mail service allows to other workspaces. Tests count by
 * themselves, so that they never take the mail of an incident.
 */
const most = { alerts: { hour: 20, day: 60 }, tests: { hour: 10, day: 30 } } as const;
const lengths = { hour: 3_600_000, day: 86_400_000 } as const;
/** Beyond them a channel that is told first still gets an incident's beginning, once in so long. */
const openingEveryMs = 5 * 60_000;

/** The settings in which they are counted. */
const names = { alerts: "mails", tests: "test-mails" } as const;
const beyond = "mails-beyond";

/** `opening`: it says to whoever is told first that an incident began. */
export type MailUse = "test" | "opening" | "other";

type Spent = { hour: number; inHour: number; day: number; inDay: number };

/** A mail that was taken: from the budget of an hour and a day, or beyond it for a channel. */
export type TakenMail =
  | { from: keyof typeof most; hour: number; day: number }
  | { beyondFor: string };

/** Takes one mail to a channel from the budget of this hour and day (UTC); undefined where nothing is left of it. */
export function takeMail(
  sql: SqlStorage,
  channel: string,
  use: MailUse,
  now: number,
): TakenMail | undefined {
  const from = use === "test" ? "tests" : "alerts";
  const spent = spentIn(sql, from, now);
  const { hour, inHour, day, inDay } = spent;
  if (inHour >= most[from].hour || inDay >= most[from].day) {
    return use === "opening" ? takeOpening(sql, channel, now) : undefined;
  }
  keepSetting(sql, names[from], { ...spent, inHour: inHour + 1, inDay: inDay + 1 });
  return { from, hour, day };
}

/** Gives a mail back that certainly did not arrive. What was taken of an hour or a day that is over stays so. */
export function giveMailBack(sql: SqlStorage, taken: TakenMail, now: number): void {
  if ("beyondFor" in taken) {
    const { [taken.beyondFor]: _, ...others } = openingsIn(sql, now);
    keepSetting(sql, beyond, others);
    return;
  }
  const { hour, inHour, day, inDay } = spentIn(sql, taken.from, now);
  keepSetting(sql, names[taken.from], {
    ...{ hour, inHour: hour === taken.hour ? inHour - 1 : inHour },
    ...{ day, inDay: day === taken.day ? inDay - 1 : inDay },
  } satisfies Spent);
}

function takeOpening(sql: SqlStorage, channel: string, now: number): TakenMail | undefined {
  const recent = openingsIn(sql, now);
  if (channel in recent) return;
  keepSetting(sql, beyond, { ...recent, [channel]: now });
  return { beyondFor: channel };
}

/** When each channel last got a beginning beyond the budget, of those that may get none yet. */
function openingsIn(sql: SqlStorage, now: number): Record<string, number> {
  const taken = settingIn<Record<string, number>>(sql, beyond) ?? {};
  return Object.fromEntries(Object.entries(taken).filter(([, at]) => now - at < openingEveryMs));
}

function spentIn(sql: SqlStorage, from: keyof typeof most, now: number): Spent {
  const [hour, day] = [Math.floor(now / lengths.hour), Math.floor(now / lengths.day)];
  const spent = settingIn<Spent>(sql, names[from]);
  const inHour = spent?.hour === hour ? spent.inHour : 0;
  const inDay = spent?.day === day ? spent.inDay : 0;
  return { hour, inHour, day, inDay };
}
