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
  Array.from({ length: 100 }, () => takeMail(sql, "mail", use, now)).filter(Boolean).length;

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
  expect(takeMail(sql, "another", "opening", begin)).toBe(true);
  expect(taken(sql, "opening", begin + 4 * minute)).toBe(0);
  expect(taken(sql, "opening", begin + 5 * minute)).toBe(1);
});

test("a mail that did not arrive is given back", () => {
  const sql = fleetSettings();
  taken(sql, "other");
  giveMailBack(sql, "other", begin);
  expect(taken(sql, "other")).toBe(1);
});
