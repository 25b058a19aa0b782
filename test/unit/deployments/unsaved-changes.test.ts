import { expect, test } from "vitest";
import {
  changedSteps,
  changesIn,
  conflictsIn,
  fieldNamesOf,
  fieldsIn,
  readUnsavedChanges,
  withChanges,
} from "~/features/deployments/wizard/unsaved-changes.ts";

const saved = { domain: "rtc.mycompany.com", email: "ops@mycompany.com", updates: "manual" };

test("only what differs from what is saved is an unsaved change, and typing it back is none", () => {
  const fields = fieldNamesOf("domain");
  const typed = { domain: "new.mycompany.com", email: saved.email };
  const changes = changesIn(typed, fields, saved);
  expect(changes).toEqual({ domain: { was: "rtc.mycompany.com", now: "new.mycompany.com" } });
  expect(changesIn(saved, fields, saved, changes)).toEqual({});
  expect(changedSteps(changes)).toEqual(["domain"]);
  expect(withChanges(saved, changes)).toMatchObject({ ...typed, updates: "manual" });
});

test("changes that another release stored are read without what is not asked any more", () => {
  const stored = {
    domain: { was: "rtc.mycompany.com", now: "new.mycompany.com", note: "a later shape" },
    removedOption: { was: "a", now: "b" },
    email: "an older shape",
    updates: { was: 1, now: "weekly" },
    // Saved by then with the same value.
    "recording.kind": { was: "none", now: "" },
  };
  expect(Object.keys(readUnsavedChanges(stored, saved))).toEqual(["domain"]);
  for (const odd of [null, "text", 7, [], [1]]) expect(readUnsavedChanges(odd, saved)).toEqual({});
});

test("a field saved elsewhere with another value stands beside what was typed, in words", () => {
  const changes = {
    domain: { was: "rtc.mycompany.com", now: "new.mycompany.com" },
    updates: { was: "manual", now: "weekly" },
    "turn.udp": { was: "", now: "on" },
  };
  const meanwhile = { ...saved, updates: "monthly" };
  expect(conflictsIn(changes, meanwhile)).toEqual([
    {
      field: "updates",
      label: "Update schedule",
      step: "management",
      saved: "Monthly",
      typed: "Weekly",
    },
  ]);
});

test("a page from before a deploy changes nothing of the fields that it does not have", () => {
  const posted = { "turn.mode": "manual", "turn.domain": "turn.mycompany.com" };
  const fields = fieldsIn(posted, "network");
  expect(fields).toEqual(expect.arrayContaining(["turn.mode", "turn.domain", "turn.udp"]));
  expect(fields).not.toContain("firewall.preset");
  const before = { "turn.mode": "auto", "turn.udp": "on", "firewall.preset": "strict" };
  expect(changesIn(posted, fields, before)).toEqual({
    "turn.mode": { was: "auto", now: "manual" },
    "turn.domain": { was: "", now: "turn.mycompany.com" },
    "turn.udp": { was: "on", now: "" },
  });
});

test("the line ends of a browser are no change", () => {
  const lines = { extraDomains: "one.mycompany.com\ntwo.mycompany.com" };
  const posted = { extraDomains: "one.mycompany.com\r\ntwo.mycompany.com" };
  expect(changesIn(posted, ["extraDomains"], lines)).toEqual({});
});
