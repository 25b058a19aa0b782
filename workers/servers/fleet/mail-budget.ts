import { keepSetting, settingIn } from "./settings-table";

/**
 * How many mails a workspace's alerts may be. Beyond them a message waits for the next hour or day, and what waits
 * together becomes one. So a storm of incidents leaves what the mail service allows to other workspaces. Tests count by
 * themselves, so that they never take the mail of an incident.
 */
const most = { alerts: { hour: 20, day: 60 }, tests: { hour: 10, day: 30 } } as const;
const lengths = { hour: 3_600_000, day: 86_400_000 } as const;
/** Beyond them a channel that is told first still gets an incident's beginning, once in so long. */
const openingEveryMs = 5 * 60_000;

/** `opening`: it says to whoever is told first that an incident began. */
export type MailUse = "test" | "opening" | "other";

type Spent = { hour: number; inHour: number; day: number; inDay: number };

/** Takes one mail to a channel from the budget of this hour and day (UTC); false where nothing is left of it. */
export function takeMail(sql: SqlStorage, channel: string, use: MailUse, now: number): boolean {
  const kind = kindOf(use);
  const spent = spentIn(sql, kind, now);
  if (spent.inHour >= most[kind].hour || spent.inDay >= most[kind].day) {
    return use === "opening" && takeOpening(sql, channel, now);
  }
  const { inHour, inDay } = spent;
  keepSetting(sql, nameOf(kind), { ...spent, inHour: inHour + 1, inDay: inDay + 1 });
  return true;
}

/** Gives a mail back that certainly did not arrive. */
export function giveMailBack(sql: SqlStorage, use: MailUse, now: number): void {
  const kind = kindOf(use);
  const { inHour, inDay, ...spent } = spentIn(sql, kind, now);
  const left = { inHour: Math.max(0, inHour - 1), inDay: Math.max(0, inDay - 1) };
  keepSetting(sql, nameOf(kind), { ...spent, ...left });
}

function takeOpening(sql: SqlStorage, channel: string, now: number): boolean {
  const former = settingIn<Record<string, number>>(sql, "mails-beyond") ?? {};
  const recent = Object.entries(former).filter(([, at]) => now - at < openingEveryMs);
  if (recent.some(([id]) => id === channel)) return false;
  keepSetting(sql, "mails-beyond", { ...Object.fromEntries(recent), [channel]: now });
  return true;
}

function spentIn(sql: SqlStorage, kind: keyof typeof most, now: number): Spent {
  const [hour, day] = [Math.floor(now / lengths.hour), Math.floor(now / lengths.day)];
  const spent = settingIn<Spent>(sql, nameOf(kind));
  const inHour = spent?.hour === hour ? spent.inHour : 0;
  const inDay = spent?.day === day ? spent.inDay : 0;
  return { hour, inHour, day, inDay };
}

const kindOf = (use: MailUse): keyof typeof most => (use === "test" ? "tests" : "alerts");

const nameOf = (kind: keyof typeof most): string => (kind === "tests" ? "test-mails" : "mails");
