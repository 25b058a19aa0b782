import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import { payOnHostedPage } from "../../../support/billing/stripe-account.ts";
import {
  startAccount,
  testKey,
  variablesIn,
} from "../../../support/billing/stripe-setup-command.ts";
import { runCommand } from "../../../support/commands/run-command.ts";
import { portBase, startOwnWorker } from "../../../support/site/own-site.ts";
import { Visitor } from "../../../support/site/visitor.ts";

/** The commands see these settings only, as in a terminal of the operator. */
const noSettings = {
  STRIPE_SECRET_KEY: "",
  STRIPE_API_URL: "",
  STRIPE_AUTOMATIC_TAX: "",
  STRIPE_PRICE_BASIC: "",
  STRIPE_PRICE_PRO: "",
  STRIPE_PRICE_MONTHLY: "",
  STRIPE_PRICE_YEARLY: "",
  STRIPE_PRICE_BASIC_YEARLY: "",
  STRIPE_PRICE_PRO_MONTHLY: "",
};

async function smoke(site: string, settings: Record<string, string>) {
  await using folder = await mkdtempDisposable(join(tmpdir(), "smoke-"));
  const file = join(folder.path, "production.env");
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await writeFile(file, lines.join("\n"));
  return await runCommand("scripts/smoke/smoke.ts", [site, "--env-file", file], {
    environment: noSettings,
  });
}

test("a price changes as operations.md says: nobody is charged what no screen shows, old customers keep theirs", async () => {
  await using account = await startAccount();
  const { stripe } = account;
  // Until now Basic was $89.99, and somebody pays that.
  await stripe.products.create({ id: "livekit_deploy_basic", name: "Basic" });
  const old = await stripe.prices.create({
    product: "livekit_deploy_basic",
    currency: "usd",
    unit_amount: 8_999,
    recurring: { interval: "month" },
    lookup_key: "livekit_deploy_basic",
  });
  const bought = await stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price: old.id, quantity: 1 }],
    success_url: "http://localhost/success",
  });
  await payOnHostedPage(bought.url ?? "", { email: "old.customer@example.com" });

  // The amount is another one in plans.ts: set-up says what stands in the way, and changes nothing.
  const refused = await account.setUp();
  expect(refused.code).toBe(1);
  expect(refused.complaint).toContain("is 89.99 USD every month, and the site says 109.99 USD");
  await stripe.prices.update(old.id, { lookup_key: "" });
  const made = await account.setUp();
  expect(made.code).toBe(0);
  const variables: Record<string, string> = {
    STRIPE_SECRET_KEY: testKey,
    STRIPE_API_URL: account.url,
    ...variablesIn(made.output),
  };
  expect(variables.STRIPE_PRICE_BASIC).not.toBe(old.id);

  // Between the deploy and the new variable the checkout of this offer stops, and of no other.
  const before = { ...variables, STRIPE_PRICE_BASIC: old.id };
  await using site = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    ...before,
  }));
  const order = (plan: string) => new Visitor(site.url).post("/pricing", { plan });
  expect((await order("basic")).status).toBe(503);
  expect((await order("pro")).status).toBe(303);
  const smokeTest = await smoke(site.url, before);
  expect(smokeTest.complaint).toBe("");
  expect(smokeTest.code).toBe(1);
  expect(smokeTest.output).toContain(
    `✗ STRIPE_PRICE_BASIC charges what the site shows: ${old.id} has amount 8999 instead of 10999`,
  );
  expect(smokeTest.output).toContain("✓ STRIPE_PRICE_PRO charges what the site shows");

  await site.reconfigure({ ...exampleVariables({ siteUrl: site.url, portBase }), ...variables });
  expect((await order("basic")).status).toBe(303);
  const [session] = (await stripe.checkout.sessions.list({ limit: 1 })).data;
  expect(session?.amount_subtotal).toBe(10_999);
  const again = await smoke(site.url, variables);
  expect(again.output).not.toContain("✗");
  const sold = Object.keys(noSettings).filter((name) => name.startsWith("STRIPE_PRICE_"));
  const charged = [...again.output.matchAll(/^✓ (STRIPE_PRICE_\w+) charges/gm)];
  expect(charged.map(([, name]) => name).toSorted()).toEqual(sold.toSorted());
  expect(again.output).not.toContain(testKey);

  // The old price is archived last; a customer who pays it stays with the product that names their plan.
  await stripe.prices.update(old.id, { active: false });
  const [subscription] = (await stripe.subscriptions.list({ status: "active" })).data;
  expect(subscription?.items.data[0]?.price).toMatchObject({
    id: old.id,
    unit_amount: 8_999,
    product: "livekit_deploy_basic",
  });
  const { metadata } = await stripe.products.retrieve("livekit_deploy_basic");
  expect(metadata.plan).toBe("basic");
  expect((await account.setUp()).output).toContain("nothing was changed");
});
