import { test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { openPage } from "../../support/browser/browser.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

test("Stripe.js is loaded from Stripe where a publishable key is configured", async () => {
  await using worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    STRIPE_PUBLISHABLE_KEY: "pk_test_published",
  }));
  await using person = await openPage({ siteUrl: worker.url });
  const { page } = person;
  await page.route("https://js.stripe.com/**", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "window.Stripe = Object.assign(() => ({ elements() {} }), { version: 1 });",
    }),
  );
  await person.visit("/pricing");
  await page.waitForFunction(() => "Stripe" in window);
});
