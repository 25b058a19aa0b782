import { expect, test } from "vitest";
import { isNotUpdated } from "../../../app/features/servers/state/workspace-facts.server.ts";
import { removeOld } from "../../../workers/servers/fleet-parts.ts";
import { fleetSettings } from "../../support/servers/fleet-settings.ts";
import { begin, minute } from "../../support/servers/incident-step.ts";

test("a fleet of before, of which no update was noted, is waited for eight days from the first look", () => {
  const sql = fleetSettings();
  const day = 1_440 * minute;
  removeOld(sql, begin, "workspace");
  expect(isNotUpdated(sql, begin + 8 * day - 1)).toBe(false);
  expect(isNotUpdated(sql, begin + 8 * day)).toBe(true);
});
