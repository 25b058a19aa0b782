import { expect, test } from "vitest";
import { handledEventTypes } from "../../../app/features/billing/subscriptions/webhook-events.ts";
import { siteUrl, startAccount, variablesIn } from "../../support/billing/stripe-setup-command.ts";
import { testInProof } from "../../support/run/variants.ts";

test("a price with another amount stops everything and says what to do", async () => {
  await using account = await startAccount();
  const price = await account.stripe.prices.create({
    product_data: { name: "Old" },
    currency: "usd",
    unit_amount: 8_999,
    recurring: { interval: "month" },
    lookup_key: "livekit_deploy_basic",
  });
  const before = await account.writes();
  const { code, output, complaint } = await account.setUp();
  expect(code).toBe(1);
  expect(output).toBe("");
  expect(complaint).toContain(
    `✗ Price ${price.id} (livekit_deploy_basic) is 89.99 USD every month, and the site says 109.99 USD every month.`,
  );
  expect(complaint).toContain("Take the lookup key off it");
  expect(complaint).toContain("Nothing was changed.");
  expect(await account.writes()).toEqual(before);

  await account.stripe.prices.update(price.id, { lookup_key: "" });
  expect((await account.setUp()).code).toBe(0);
});

testInProof(
  "a price with the right amount of another product, interval or currency stops too",
  async () => {
    await using account = await startAccount();
    const terms = { currency: "usd", unit_amount: 10_999, product_data: { name: "Other" } };
    await account.stripe.prices.create({
      ...terms,
      recurring: { interval: "month" },
      lookup_key: "livekit_deploy_basic",
    });
    await account.stripe.prices.create({
      ...terms,
      recurring: { interval: "month", interval_count: 3 },
      lookup_key: "livekit_deploy_monthly",
    });
    await account.stripe.prices.create({
      ...terms,
      currency: "eur",
      unit_amount: 99_900,
      recurring: { interval: "year" },
      lookup_key: "livekit_deploy_yearly",
    });
    const { code, complaint } = await account.setUp();
    expect(code).toBe(1);
    expect(complaint).toContain("not to livekit_deploy_basic");
    expect(complaint).toContain("is 109.99 USD every 3 months");
    expect(complaint).toContain("is 999.00 EUR every year");
  },
);

testInProof("an archived product or price is not sold again behind somebody's back", async () => {
  await using account = await startAccount();
  const { STRIPE_PRICE_YEARLY = "" } = variablesIn((await account.setUp()).output);
  await account.stripe.products.update("livekit_deploy_basic", { active: false });
  await account.stripe.prices.update(STRIPE_PRICE_YEARLY, { active: false });
  const { code, complaint } = await account.setUp();
  expect(code).toBe(1);
  expect(complaint).toContain("The product Basic (livekit_deploy_basic) is archived.");
  expect(complaint).toContain(`Price ${STRIPE_PRICE_YEARLY} (livekit_deploy_yearly) is archived.`);
});

testInProof(
  "a portal or endpoint that somebody changed is put right; what they added stays",
  async () => {
    await using account = await startAccount();
    const { STRIPE_PORTAL_CONFIGURATION = "" } = variablesIn((await account.setUp()).output);
    await account.stripe.billingPortal.configurations.update(STRIPE_PORTAL_CONFIGURATION, {
      features: { subscription_cancel: { enabled: true, mode: "immediately" } },
      metadata: { note: "kept" },
    });
    const { data: endpoints } = await account.stripe.webhookEndpoints.list();
    const endpoint = endpoints.find(({ url }) => url.startsWith(siteUrl))?.id ?? "";
    await account.stripe.webhookEndpoints.update(endpoint, {
      enabled_events: ["charge.refunded"],
      disabled: true,
    });

    const { code, output } = await account.setUp();
    expect(code).toBe(0);
    expect(output).toContain("+ changed: customer portal configuration");
    expect(output).toContain("+ changed: webhook endpoint");
    expect(output).not.toContain("whsec_");
    const portal = await account.stripe.billingPortal.configurations.retrieve(
      STRIPE_PORTAL_CONFIGURATION,
    );
    expect(portal.features.subscription_cancel.mode).toBe("at_period_end");
    expect(portal.metadata).toMatchObject({ note: "kept" });
    expect(await account.stripe.webhookEndpoints.retrieve(endpoint)).toMatchObject({
      enabled_events: handledEventTypes,
      status: "enabled",
    });
  },
);

testInProof(
  "two endpoints at our address are a conflict: each signs with its own secret",
  async () => {
    await using account = await startAccount();
    const url = `${siteUrl}/api/stripe/webhook`;
    for (const _ of [1, 2]) {
      await account.stripe.webhookEndpoints.create({ url, enabled_events: ["*"] });
    }
    const { code, complaint } = await account.setUp();
    expect(code).toBe(1);
    expect(complaint).toContain(`Several webhook endpoints deliver to ${url}`);
  },
);

test("an endpoint of another API version stays, with a word about it, and the run is no success", async () => {
  await using account = await startAccount();
  await account.stripe.webhookEndpoints.create({
    url: `${siteUrl}/api/stripe/webhook`,
    enabled_events: [...handledEventTypes],
    api_version: "2024-06-20",
  });
  const { code, output } = await account.setUp();
  expect(code).toBe(1);
  expect(output).toContain("It speaks API version 2024-06-20");
});

test("two runs at once make everything once, and both end well", async () => {
  await using account = await startAccount();
  const [one, other] = await Promise.all([account.setUp(), account.setUp()]);
  expect([one.code, one.complaint, other.code, other.complaint]).toEqual([0, "", 0, ""]);
  const [first, second] = [variablesIn(one.output), variablesIn(other.output)];
  const { STRIPE_WEBHOOK_SECRET: _, ...shared } = { ...first, ...second };
  expect(first).toMatchObject(shared);
  expect(second).toMatchObject(shared);
  const again = await account.setUp();
  expect([again.code, again.output]).toEqual([0, expect.stringContaining("nothing was changed")]);
});

testInProof(
  "each site of one account has a portal and an endpoint of its own, and shares the prices",
  async () => {
    await using account = await startAccount();
    const first = variablesIn((await account.setUp()).output);
    const second = variablesIn(
      (await account.setUp([], { SITE_URL: "https://staging.example/" })).output,
    );
    expect(second.STRIPE_PRICE_PRO).toBe(first.STRIPE_PRICE_PRO);
    expect(second.STRIPE_PORTAL_CONFIGURATION).not.toBe(first.STRIPE_PORTAL_CONFIGURATION);
    expect(second.STRIPE_WEBHOOK_SECRET).not.toBe(first.STRIPE_WEBHOOK_SECRET);
  },
);

testInProof(
  "products whose metadata name no plan are given it; what else they carry stays",
  async () => {
    await using account = await startAccount();
    await account.setUp();
    await account.stripe.products.update("livekit_deploy_pro", {
      metadata: { plan: "", note: "kept" },
    });
    const dry = await account.setUp(["--dry-run"]);
    expect(dry.output).toContain("+ would change: product Pro (livekit_deploy_pro)");
    const { code, output } = await account.setUp();
    expect(code).toBe(0);
    expect(output).toContain("+ changed: product Pro (livekit_deploy_pro)");
    expect(output).toContain("✓ unchanged: product Basic (livekit_deploy_basic)");
    const { metadata } = await account.stripe.products.retrieve("livekit_deploy_pro");
    expect(metadata).toEqual({ plan: "pro", note: "kept" });
  },
);

testInProof.each([
  ["included", "inclusive"],
  ["added", "exclusive"],
] as const)(
  "with tax %s every price says so, and a later run finds that",
  async (tax, behavior) => {
    await using account = await startAccount();
    const settings = { STRIPE_AUTOMATIC_TAX: tax };
    // Two prices were there before, when no tax was asked for.
    await account.setUp();
    const { data } = await account.stripe.prices.list({
      lookup_keys: ["livekit_deploy_pro", "livekit_deploy_yearly"],
    });
    for (const { id } of data) {
      await account.stripe.prices.update(id, { lookup_key: "", active: false });
    }
    const { code, output } = await account.setUp([], settings);
    expect(code).toBe(0);
    expect(output).toContain(
      `+ changed: price livekit_deploy_basic (109.99 USD every month), with tax ${tax}`,
    );
    expect(output).toContain("+ created: price livekit_deploy_pro");
    const variables = variablesIn(output);
    for (const name of ["BASIC", "PRO", "MONTHLY", "YEARLY"]) {
      const price = await account.stripe.prices.retrieve(variables[`STRIPE_PRICE_${name}`] ?? "");
      expect([name, price.tax_behavior]).toEqual([name, behavior]);
    }
    expect((await account.setUp([], settings)).output).toContain("nothing was changed");
  },
);

testInProof(
  "a price whose tax is the other way stops everything: Stripe never changes that",
  async () => {
    await using account = await startAccount();
    const { output } = await account.setUp([], { STRIPE_AUTOMATIC_TAX: "included" });
    const { STRIPE_PRICE_PRO = "" } = variablesIn(output);
    const before = await account.writes();
    const { code, complaint } = await account.setUp([], { STRIPE_AUTOMATIC_TAX: "added" });
    expect(code).toBe(1);
    expect(complaint).toContain(
      `✗ Price ${STRIPE_PRICE_PRO} (livekit_deploy_pro) has tax included, and STRIPE_AUTOMATIC_TAX is added.`,
    );
    expect(complaint).toContain("Take the lookup key off it");
    expect(await account.writes()).toEqual(before);
    // Without tax the same prices will do.
    expect((await account.setUp()).output).toContain("nothing was changed");
  },
);
