import { senderSettings } from "../../sender-settings.server";
import { saveSetting, settingIn } from "../../storage/tables.server";
import type { Channel, Message, Sent } from "../channel";
import { maxChannels } from "../channels.server";
import { sendMail } from "./mail.server";
import { sendToPager } from "./pagerduty.server";
import { sendToService } from "./services.server";
import { sendWebhook } from "./webhook.server";

/**
 * One try to send a message to a channel; a mail only where the workspace's budget has one left. `isOpening`: it says that
 * an incident began. Never throws for what a target does.
 */
export async function send(
  sql: SqlStorage,
  env: ServersEnv,
  now: () => number,
  { channel, message, isOpening }: { channel: Channel; message: Message; isOpening: boolean },
): Promise<Sent> {
  if (channel.kind !== "mail") return sendByKind(env, channel, message);
  const use = message.event === "test" ? "test" : isOpening ? "opening" : "other";
  const taken = takeMail(sql, channel.address, use, now());
  if (!taken) {
    const reason = "The mails of this hour or day are used up.";
    return { ok: false, retry: true, reason };
  }
  const sent = await sendByKind(env, channel, message);
  if (!sent.ok && !sent.isUnknown) giveMailBack(sql, taken, now());
  return sent;
}

/**
 * Each target has 10 seconds, gets no redirect followed, and little of its answer is read. Neither the answer here nor the
 * log has an address, a key or a path.
 */
async function sendByKind(env: ServersEnv, channel: Channel, message: Message): Promise<Sent> {
  const settings = senderSettings(env);
  if (!settings) return { ok: false, retry: true, reason: "Alerts are not set up on this site." };
  switch (channel.kind) {
    case "mail":
      return sendMail(settings, channel, message);
    case "pagerduty":
      return sendToPager(settings, channel, message);
    case "webhook":
      return sendWebhook(settings, channel, message);
    default:
      return sendToService(settings, channel, message);
  }
}

/**
 * How many mails a workspace's alerts may be. Beyond them a message waits for the next hour or day, and what waits
 * together becomes one. So a storm of incidents leaves what the mail service allows to other workspaces. Tests and mails to
 * approvers count by themselves, so that they never take the mail of an incident.
 */
const limits = {
  alerts: { hour: 20, day: 60 },
  tests: { hour: 10, day: 30 },
  approvals: { hour: 20, day: 40 },
} as const;
const lengths = { hour: 3_600_000, day: 86_400_000 } as const;
/**
 * Beyond them the first channels still learn that an incident began: one beginning in so long for all of a workspace's
 * addresses together, and so many a day.
 */
const openingEveryMs = 5 * 60_000;
const maxOpenings = 24;

/** The settings in which they are counted. */
const names = { alerts: "mails", tests: "test-mails", approvals: "mails-to-approvers" } as const;
const beyond = "opening-beyond";

/** Of the budget repeats leave so much to other mails; a repeat for which nothing is left is not sent. */
const repeatLimit = { hour: 10, day: 40 } as const;

export function mayRepeatByMail(sql: SqlStorage, now: number): boolean {
  const { inHour, inDay } = spentIn(sql, "alerts", now);
  return inHour < repeatLimit.hour && inDay < repeatLimit.day;
}

/** `opening`: it notifies the first channels that an incident began. `approval`: a rollout waits for the recipient. */
export type MailUse = "test" | "approval" | "opening" | "other";

type Spent = { hour: number; inHour: number; day: number; inDay: number };

/**
 * The last opening that was sent beyond the budget: to which addresses, the how many-th of its day (UTC) it is, and when
 * the first address was taken. `told` is a stored name.
 */
type Opening = { day: number; count: number; at: number; told: string[] };

/** A mail that was taken: from the budget of an hour and a day, or beyond it to an address. */
export type TakenMail =
  | { from: keyof typeof limits; hour: number; day: number }
  | { beyondFor: string; at: number };

/** Takes one mail to an address from the budget of this hour and day (UTC); undefined where nothing is left of it. */
export function takeMail(
  sql: SqlStorage,
  address: string,
  use: MailUse,
  now: number,
): TakenMail | undefined {
  const from = use === "test" ? "tests" : use === "approval" ? "approvals" : "alerts";
  const spent = spentIn(sql, from, now);
  const { hour, inHour, day, inDay } = spent;
  if (inHour >= limits[from].hour || inDay >= limits[from].day) {
    return use === "opening" ? takeOpening(sql, address.toLowerCase(), now) : undefined;
  }
  saveSetting(sql, names[from], { ...spent, inHour: inHour + 1, inDay: inDay + 1 });
  return { from, hour, day };
}

/** Gives a mail back that certainly did not arrive. What was taken of an hour or a day that is over stays so. */
export function giveMailBack(sql: SqlStorage, taken: TakenMail, now: number): void {
  if ("beyondFor" in taken) {
    const opening = settingIn<Opening>(sql, beyond);
    if (opening?.at !== taken.at) return;
    const addresses = opening.told.filter((each) => each !== taken.beyondFor);
    // It reached nobody, so that another one may follow at once.
    const none = { count: opening.count - 1, at: 0 };
    saveSetting(sql, beyond, {
      ...opening,
      told: addresses,
      ...(addresses.length === 0 ? none : {}),
    });
    return;
  }
  const { hour, inHour, day, inDay } = spentIn(sql, taken.from, now);
  saveSetting(sql, names[taken.from], {
    ...{ hour, inHour: hour === taken.hour ? inHour - 1 : inHour },
    ...{ day, inDay: day === taken.day ? inDay - 1 : inDay },
  } satisfies Spent);
}

function takeOpening(sql: SqlStorage, address: string, now: number): TakenMail | undefined {
  const day = Math.floor(now / lengths.day);
  const last = settingIn<Opening>(sql, beyond);
  const today = last?.day === day ? last : { day, count: 0, at: 0, told: [] };
  const isNew = now - today.at >= openingEveryMs;
  const { told: addresses } = today;
  if (
    isNew
      ? today.count >= maxOpenings
      : addresses.includes(address) || addresses.length >= maxChannels
  ) {
    return;
  }
  const opening: Opening = isNew
    ? { day, count: today.count + 1, at: now, told: [address] }
    : { ...today, told: [...addresses, address] };
  saveSetting(sql, beyond, opening);
  return { beyondFor: address, at: opening.at };
}

function spentIn(sql: SqlStorage, limitName: keyof typeof limits, now: number): Spent {
  const [hour, day] = [Math.floor(now / lengths.hour), Math.floor(now / lengths.day)];
  const spent = settingIn<Spent>(sql, names[limitName]);
  const inHour = spent?.hour === hour ? spent.inHour : 0;
  const inDay = spent?.day === day ? spent.inDay : 0;
  return { hour, inHour, day, inDay };
}
