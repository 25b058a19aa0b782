import { expect, test } from "vitest";
import { measureStartUp } from "../../bench/start-up.ts";
import { portBase } from "../../support/site/own-site.ts";

// An empty Worker, started in turns with ours, tells how fast the machine is just now: 19 ms where
// ours took 41 more, and 89 before the savings in docs/decisions/0016-what-the-upload-weighs.md.
test("the Worker's own start takes at most 3 times the CPU of an empty one, with few modules", async () => {
  const { ownMs, emptyMs, modules } = await measureStartUp(portBase + 8);
  expect(ownMs).toBeGreaterThan(0);
  expect(ownMs / emptyMs).toBeLessThanOrEqual(3);
  expect(modules).toBeLessThanOrEqual(20);
});
