import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { offers, planOptions, plans, priceLabel } from "../../../app/content/plans.ts";
import { handledEventTypes } from "../../../app/features/billing/subscriptions/webhook-events.ts";
import { expectedPrices } from "../../../scripts/stripe-setup/expected.ts";
import {
  everything,
  run,
  siteUrl,
  startAccount,
  testKey,
  variablesIn,
} from "../../support/billing/stripe-setup-command.ts";
import { testInProof } from "../../support/run/variants.ts";

test("set-up makes products, prices, portal and webhook endpoint, and prints what to configure", async () => {
  await using account = await startAccount();
  const { code, output, complaint } = await account.setUp();
  expect(complaint).toBe("");
  expect(code).toBe(0);
  for (const thing of everything) expect(output).toContain(`+ created: ${thing}`);

  const variables = variablesIn(output);
  for (const { variable, lookupKey, ...terms } of expectedPrices) {
    const price = await account.stripe.prices.retrieve(variables[variable] ?? "");
    expect(price).toMatchObject({
      active: true,
      lookup_key: lookupKey,
      currency: "usd",
      unit_amount: terms.unitAmount,
      product: terms.product.id,
      recurring: { interval: terms.interval, interval_count: 1 },
      tax_behavior: "unspecified",
    });
  }
  const portal = await account.stripe.billingPortal.configurations.retrieve(
    variables.STRIPE_PORTAL_CONFIGURATION ?? "",
  );
  expect(portal.features).toMatchObject({
    customer_update: { enabled: false },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: "at_period_end" },
    subscription_update: { enabled: false },
  });
  expect(portal.login_page.enabled).toBe(false);
  expect(portal.business_profile.terms_of_service_url).toBe(`${siteUrl}/terms`);
  for (const plan of ["basic", "pro"]) {
    const { metadata } = await account.stripe.products.retrieve(`livekit_deploy_${plan}`);
    expect(metadata).toEqual({ plan });
  }
  const { data: endpoints } = await account.stripe.webhookEndpoints.list();
  expect(endpoints.find(({ url }) => url.startsWith(siteUrl))).toMatchObject({
    url: `${siteUrl}/api/stripe/webhook`,
    api_version: Stripe.API_VERSION,
    enabled_events: handledEventTypes,
  });
  expect(variables.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
  expect(output).toContain("STRIPE_WEBHOOK_SECRET is shown this once");
});

testInProof("a second run writes nothing, says so and prints the same ids", async () => {
  await using account = await startAccount();
  const first = await account.setUp();
  const before = await account.writes();
  const second = await account.setUp();
  expect(second.code).toBe(0);
  expect(await account.writes()).toEqual(before);
  for (const thing of everything) expect(second.output).toContain(`✓ unchanged: ${thing}`);
  expect(second.output).toContain("nothing was changed");
  const { STRIPE_WEBHOOK_SECRET, ...ids } = variablesIn(first.output);
  expect(STRIPE_WEBHOOK_SECRET).toBeDefined();
  expect(variablesIn(second.output)).toEqual(ids);
  expect(second.output).toContain("STRIPE_WEBHOOK_SECRET stays what it is");
});

testInProof("a dry run writes nothing and says what it would do", async () => {
  await using account = await startAccount();
  const { code, output } = await account.setUp(["--dry-run"]);
  expect(code).toBe(0);
  for (const thing of everything) expect(output).toContain(`+ would create: ${thing}`);
  expect(output).toContain("Dry run: nothing was written.");
  expect((await account.requests()).length).toBeGreaterThan(0);
  expect(await account.writes()).toEqual([]);
});

testInProof.each(["sk_live_0123456789abcdef", "rk_live_0123456789abcdef"])(
  "the live key %s is refused before anything is asked, unless --live is given",
  async (liveKey) => {
    await using account = await startAccount(liveKey);
    const refused = await account.setUp();
    expect(refused.code).toBe(2);
    expect(refused.complaint).toContain("add --live");
    expect(refused.complaint).not.toContain(liveKey);
    expect(await account.requests()).toEqual([]);
    const allowed = await account.setUp(["--live"]);
    expect(allowed.code).toBe(0);
  },
);

testInProof(
  "--live with a test key is refused: the caller is mistaken about the account",
  async () => {
    await using account = await startAccount();
    const { code, complaint } = await account.setUp(["--live"]);
    expect(code).toBe(2);
    expect(complaint).toContain("no live key");
    expect(await account.requests()).toEqual([]);
  },
);

testInProof(
  "settings come from the file named by --env-file; the environment goes before it",
  async () => {
    await using account = await startAccount();
    await using folder = await mkdtempDisposable(join(tmpdir(), "stripe-setup-"));
    const file = join(folder.path, "settings.env");
    await writeFile(
      file,
      `SITE_URL="https://from-file.example"\nSTRIPE_SECRET_KEY=sk_test_wrong\nSTRIPE_API_URL=${account.url}\n`,
    );
    const { code, output } = await run(["--env-file", file], { STRIPE_SECRET_KEY: testKey });
    expect(code).toBe(0);
    expect(output).toContain("webhook endpoint https://from-file.example/api/stripe/webhook");
  },
);

testInProof.each<{ args: string[]; settings: Record<string, string>; says: string }>([
  { args: [], settings: { STRIPE_SECRET_KEY: "" }, says: "STRIPE_SECRET_KEY is missing" },
  { args: [], settings: { STRIPE_SECRET_KEY: "pk_test_1" }, says: "must be a secret" },
  { args: [], settings: { SITE_URL: "" }, says: "SITE_URL is missing" },
  { args: [], settings: { SITE_URL: "ftp://x" }, says: "SITE_URL must be an https URL" },
  {
    args: [],
    settings: { SITE_URL: "http://localhost:8787", STRIPE_API_URL: "" },
    says: "Stripe cannot deliver to http://localhost:8787",
  },
  { args: [], settings: { STRIPE_AUTOMATIC_TAX: "on" }, says: "off, included or added" },
  { args: ["--no-such-option"], settings: {}, says: "--no-such-option" },
  { args: ["--env-file", "/does/not/exist"], settings: {}, says: "--env-file /does/not/exist" },
])("called wrongly it ends with code 2 and says: $says", async ({ args, settings, says }) => {
  const right = {
    STRIPE_SECRET_KEY: testKey,
    STRIPE_API_URL: "http://127.0.0.1:9",
    SITE_URL: siteUrl,
  };
  const { code, output, complaint } = await run(args, { ...right, ...settings });
  expect(code).toBe(2);
  expect(output).toBe("");
  expect(complaint).toContain(says);
  expect(complaint.trimEnd().split("\n")).toHaveLength(2);
});

testInProof(
  "a refused key and an unreachable Stripe are one line each, without the key",
  async () => {
    await using account = await startAccount();
    const wrong = await account.setUp([], { STRIPE_SECRET_KEY: "sk_test_wrong_0123456789" });
    expect(wrong.code).toBe(1);
    expect(wrong.complaint).toMatch(/^✗ The account could not be read: Invalid API Key.*\n$/);
    expect(wrong.complaint).not.toContain("sk_test_wrong_0123456789");

    await account.fail("refuse");
    const down = await account.setUp();
    expect(down.code).toBe(1);
    expect(down.complaint).toBe(
      `✗ The account could not be read: ${account.url} did not answer.\n`,
    );
  },
);

test("Stripe is set up to charge what the screens show", () => {
  const shown = {
    STRIPE_PRICE_BASIC: `${plans[0].price}/${plans[0].interval}`,
    STRIPE_PRICE_PRO: `${plans[1].price}/${plans[1].interval}`,
    STRIPE_PRICE_MONTHLY: planOptions[0].priceLabel,
    STRIPE_PRICE_YEARLY: planOptions[1].priceLabel,
    STRIPE_PRICE_BASIC_YEARLY: priceLabel(offers.basicYearly),
    STRIPE_PRICE_PRO_MONTHLY: priceLabel(offers.proMonthly),
  };
  const expected = expectedPrices.map(({ variable, unitAmount, interval }) => {
    const amount = (unitAmount / 100).toFixed(2).replace(".00", "");
    return [variable, `$${amount}/${interval}`];
  });
  expect(Object.fromEntries(expected)).toEqual(shown);
});
