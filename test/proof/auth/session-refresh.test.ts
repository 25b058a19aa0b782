import { test } from "vitest";
import { expectOneRefreshEach } from "../../support/auth/refresh-together.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";

const site = siteWithFaults();

test("200 requests of two people whose tokens end cost one refresh each, and nobody is signed out", async () => {
  await expectOneRefreshEach(site(), 100);
});
