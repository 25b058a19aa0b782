import { expect, test } from "vitest";
import {
  giveMailBack,
  type MailUse,
  takeMail,
} from "../../../../workers/servers/fleet/mail-budget.ts";
import { fleetSettings } from "../../../support/servers/fleet-settings.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";

/** How many of 100 mails a workspace may send. */
const taken = (sql: SqlStorage, use: MailUse, now = begin) =>
  Array.from({ length: 100 }, () => takeMail(sql, "mail", use, now)).filter(
    (mail) => mail !== undefined,
  ).length;

test("tests take no mail of an incident, and are ten an hour", () => {
  const sql = fleetSettings();
  expect(taken(sql, "test")).toBe(10);
  expect(taken(sql, "other")).toBe(20);
  expect(taken(sql, "test", begin + 60 * minute)).toBe(10);
});

test("an incident's beginning reaches each first channel though the mails are used up, once in five minutes", () => {
  const sql = fleetSettings();
  taken(sql, "other");
  expect(taken(sql, "opening")).toBe(1);
  expect(takeMail(sql, "another", "opening", begin)).toBeDefined();
  expect(taken(sql, "opening", begin + 4 * minute)).toBe(0);
  expect(taken(sql, "opening", begin + 5 * minute)).toBe(1);
});

test("mails of incidents are 20 an hour and 60 a day", () => {
  const sql = fleetSettings();
  // From here on the day has more than 24 hours left.
  const day = Math.ceil(begin / (1_440 * minute)) * 1_440 * minute;
  const inHour = (hour: number) => taken(sql, "other", day + hour * 60 * minute);
  expect([0, 1, 2, 3, 23].map(inHour)).toEqual([20, 20, 20, 0, 0]);
  expect(inHour(24)).toBe(20);
});

test.for([
  ["of the budget", "other", 19, "other", 1],
  ["beyond the budget, which takes none of it", "opening", 20, "other", 0],
  ["beyond the budget, to the same channel", "opening", 20, "opening", 1],
] as const)("a mail that did not arrive is given back: one %s", ([, use, before, then, left]) => {
  const sql = fleetSettings();
  for (let count = 0; count < before; count += 1) takeMail(sql, "mail", "other", begin);
  const mail = takeMail(sql, "mail", use, begin);
  if (!mail) throw new Error("No mail was left");
  giveMailBack(sql, mail, begin);
  expect(taken(sql, then)).toBe(left);
});

test("a mail of the hour before, which did not arrive, gives this hour none more", () => {
  const sql = fleetSettings();
  const hour = Math.ceil(begin / (60 * minute)) * 60 * minute;
  const mail = takeMail(sql, "mail", "other", hour - 1);
  expect(taken(sql, "other", hour)).toBe(20);
  if (mail) giveMailBack(sql, mail, hour);
  expect(taken(sql, "other", hour)).toBe(0);
});
