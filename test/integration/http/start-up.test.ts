import { expect, test } from "vitest";
import { measureStartUp } from "../../bench/start-up.ts";
import { portBase } from "../../support/site/own-site.ts";

/** What an empty Worker took to start on the machine where the budget of 100 ms was set. */
const emptyMsThere = 19;

// Milliseconds differ between machines, so an empty Worker, started in turns with ours, tells how fast
// this one is just now.
test("the Worker's own start takes at most 100 ms of CPU, and loads few modules", async () => {
  const { ownMs, emptyMs, modules } = await measureStartUp(portBase + 8);
  expect(ownMs).toBeGreaterThan(0);
  expect(ownMs * (emptyMsThere / emptyMs)).toBeLessThanOrEqual(100);
  expect(modules).toBeLessThanOrEqual(20);
});
