import { expect, test } from "vitest";
import {
  giveMailBack,
  type MailUse,
  mayRepeatByMail,
  takeMail,
} from "../../../../app/features/servers/notifications/senders/send.server.ts";
import { fleetSettings } from "../../../support/servers/fleet-settings.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";

/** How many of 100 mails a workspace may send. */
const taken = (sql: SqlStorage, use: MailUse, now = begin) =>
  Array.from({ length: 100 }, () => takeMail(sql, "ada@example.com", use, now)).filter(
    (mail) => mail !== undefined,
  ).length;

test("tests take no mail of an incident, and are ten an hour", () => {
  const sql = fleetSettings();
  expect(taken(sql, "test")).toBe(10);
  expect(taken(sql, "other")).toBe(20);
  expect(taken(sql, "test", begin + 60 * minute)).toBe(10);
});

test("repeats leave half of an hour's mails, and a third of a day's, to what is new", () => {
  const sql = fleetSettings();
  const repeat = (now: number) =>
    mayRepeatByMail(sql, now) && takeMail(sql, "ada@example.com", "other", now) !== undefined;
  const of = (count: number, at: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => repeat(at(index))).filter(Boolean).length;
  expect(of(20, () => wholeDay)).toBe(10);
  expect(taken(sql, "other", wholeDay)).toBe(10);
  expect(of(200, (index) => wholeDay + (1 + index / 10) * 60 * minute)).toBe(20);
});

test("an incident's beginning reaches each first address though the mails are used up, once in five minutes", () => {
  const sql = fleetSettings();
  taken(sql, "other");
  expect(taken(sql, "opening")).toBe(1);
  expect(takeMail(sql, "another@example.com", "opening", begin + 4 * minute)).toBeDefined();
  expect(taken(sql, "opening", begin + 4 * minute)).toBe(0);
  expect(takeMail(sql, "another@example.com", "opening", begin + 5 * minute)).toBeDefined();
  expect(taken(sql, "opening", begin + 5 * minute)).toBe(1);
});

const day = 1_440 * minute;
/** The first day that begins after the incidents of these tests. */
const wholeDay = Math.ceil(begin / day) * day;

/** How many mails ten channels get of incidents that begin each minute of a day; `addressAt`: of a channel by then. */
function mailsOfDay(addressAt: (channel: number, minutes: number) => string): number {
  const sql = fleetSettings();
  let count = 0;
  for (let minutes = 0; minutes < 1_440; minutes += 1) {
    for (let channel = 0; channel < 10; channel += 1) {
      const address = addressAt(channel, minutes);
      if (takeMail(sql, address, "opening", wholeDay + minutes * minute)) count += 1;
    }
  }
  return count;
}

test("ten channels of a workspace whose incidents never end get 300 mails a day", () => {
  expect(mailsOfDay((channel) => `${channel}@example.com`)).toBe(60 + 24 * 10);
});

test("removing channels and adding others brings no more mails", () => {
  expect(mailsOfDay((channel, minutes) => `${channel}-${minutes}@example.com`)).toBe(60 + 24 * 10);
});

test("one address is mailed each beginning once, however it is written and however often it is added", () => {
  expect(mailsOfDay((channel) => (channel % 2 ? "ada@example.com" : "Ada@example.com"))).toBe(84);
});

test("mails of incidents are 20 an hour and 60 a day", () => {
  const sql = fleetSettings();
  const inHour = (hour: number) => taken(sql, "other", wholeDay + hour * 60 * minute);
  expect([0, 1, 2, 3, 23].map(inHour)).toEqual([20, 20, 20, 0, 0]);
  expect(inHour(24)).toBe(20);
});

test.for([
  ["of the budget", "other", 19, "other", 1],
  ["beyond the budget, which takes none of it", "opening", 20, "other", 0],
  ["beyond the budget, to the same address", "opening", 20, "opening", 1],
] as const)("a mail that did not arrive is given back: one %s", ([, use, before, then, left]) => {
  const sql = fleetSettings();
  for (let count = 0; count < before; count += 1) takeMail(sql, "ada@example.com", "other", begin);
  const mail = takeMail(sql, "ada@example.com", use, begin);
  if (!mail) throw new Error("No mail was left");
  giveMailBack(sql, mail, begin);
  expect(taken(sql, then)).toBe(left);
});

test("a mail of the hour before, which did not arrive, gives this hour none more", () => {
  const sql = fleetSettings();
  const hour = Math.ceil(begin / (60 * minute)) * 60 * minute;
  const mail = takeMail(sql, "ada@example.com", "other", hour - 1);
  expect(taken(sql, "other", hour)).toBe(20);
  if (mail) giveMailBack(sql, mail, hour);
  expect(taken(sql, "other", hour)).toBe(0);
});
