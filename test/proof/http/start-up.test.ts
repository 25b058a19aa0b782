import { expect, test } from "vitest";
import { measureStartUp } from "../../bench/start-up.ts";
import { portBase } from "../../support/site/own-site.ts";

// Milliseconds differ between machines, and between hours of one whose host has other work. So a reference, started in
// turns with ours, shows how fast this one is just now: ours took 0.93 to 0.99 of it when the bound was set.
test("the Worker's own start takes at most 1.25 of a reference's CPU, and loads few modules", async () => {
  const { siteOnlyMs, referenceMs, modules } = await measureStartUp(portBase + 8);
  expect(siteOnlyMs).toBeGreaterThan(0);
  expect(siteOnlyMs / referenceMs).toBeLessThanOrEqual(1.25);
  expect(modules).toBeLessThanOrEqual(20);
});
