import { expect, test } from "vitest";
import { changeMany, type Many } from "~/features/servers/incidents/many.server.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";
import { monitoredFleet } from "../../../support/servers/monitored-fleet.ts";

const by = { by: "ada", who: "ada@example.com" };

test("50 incidents are acknowledged at once, each is sent, and none of them twice (M3)", () => {
  const { sql, monitor, sent } = monitoredFleet(50);
  const acknowledge = (of: Many) =>
    changeMany(sql, monitor, { of, change: { act: "acknowledge", by }, now: begin });
  expect(acknowledge("all")).toBe(50);
  expect(acknowledge("all")).toBe(0);
  expect(sent.filter(([, event]) => event === "acknowledged")).toHaveLength(50);
  for (const incident of monitor.living.values()) {
    expect(incident.acknowledged).toEqual({ ...by, at: begin });
  }
});

test("a deployment's servers, or those that somebody chose, are changed alone", () => {
  const { sql, monitor, ids } = monitoredFleet(4);
  const until = begin + 60 * minute;
  const snooze = (of: Many) =>
    changeMany(sql, monitor, { of, change: { act: "snooze", until }, now: begin });
  expect(snooze({ deployment: "one" })).toBe(1);
  expect(snooze({ deployment: "another" })).toBe(0);
  const [, second] = ids;
  expect(snooze({ servers: [second?.server ?? "", "not one of them"] })).toBe(1);
  const snoozed = ids.filter(({ server }) => monitor.living.get(server)?.snoozedUntil === until);
  expect(snoozed).toEqual(ids.slice(0, 2));
});
