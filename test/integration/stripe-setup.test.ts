import { execFile } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { handledEventTypes } from "../../app/billing/webhook-events.ts";
import { planOptions, plans } from "../../app/content/plans.ts";
import { wantedPrices } from "../../deploy/stripe/wanted.ts";
import { startStripeStandIn } from "../../local/stripe/stand-in.ts";
import { portBase } from "../fixtures/own-site.ts";

const testKey = "sk_test_setup_0123456789abcdef";
const siteUrl = "https://livekit-deploy.example";
const everything = [
  "product Basic",
  "product Pro",
  "price livekit_deploy_basic (109.99 USD every month)",
  "price livekit_deploy_pro (999.99 USD every year)",
  "price livekit_deploy_monthly (109.99 USD every month)",
  "price livekit_deploy_yearly (999.00 USD every year)",
  `customer portal configuration of ${siteUrl}`,
  `webhook endpoint ${siteUrl}/api/stripe/webhook`,
];

/** An account of its own, and the command run against it. */
async function startAccount(secretKey = testKey) {
  const port = portBase + 9;
  const prices = { basic: "price_b", pro: "price_p", monthly: "price_m", yearly: "price_y" };
  const { url, close } = await startStripeStandIn({
    port,
    secretKey,
    webhook: { url: "http://127.0.0.1:9/unused", secret: "whsec_unused" },
    prices,
  });
  const settings = { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: url, SITE_URL: siteUrl };
  return {
    url,
    stripe: new Stripe(secretKey, { host: "127.0.0.1", port, protocol: "http", telemetry: false }),
    setUp: (args: string[] = [], changed: Record<string, string> = {}) =>
      run(args, { ...settings, ...changed }),
    async requests(): Promise<{ method: string; path: string }[]> {
      return (await fetch(`${url}/_local/requests`)).json();
    },
    async writes(): Promise<string[]> {
      const requests = await this.requests();
      return requests.filter(({ method }) => method !== "GET").map(({ path }) => path);
    },
    async fail(mode: string): Promise<void> {
      await fetch(`${url}/_local/faults`, { method: "POST", body: JSON.stringify({ mode }) });
    },
    [Symbol.asyncDispose]: close,
  };
}

type Outcome = { code: number; output: string; complaint: string };

/** An empty variable counts as a missing one, so the command sees these settings only. */
const none = { STRIPE_SECRET_KEY: "", STRIPE_API_URL: "", SITE_URL: "" };

function run(args: string[], settings: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--", "deploy/stripe-setup.ts", ...args],
      { env: { ...process.env, ...none, ...settings } },
      (error, output, complaint) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, output, complaint }),
    );
  });
}

function variablesIn(output: string): Record<string, string> {
  return Object.fromEntries(
    [...output.matchAll(/^(STRIPE_[A-Z_]+)=(.+)$/gm)].map(([, name, value]) => [name, value]),
  );
}

test("set-up makes products, prices, portal and webhook endpoint, and prints what to configure", async () => {
  await using account = await startAccount();
  const { code, output, complaint } = await account.setUp();
  expect(complaint).toBe("");
  expect(code).toBe(0);
  for (const thing of everything) expect(output).toContain(`+ created: ${thing}`);

  const variables = variablesIn(output);
  for (const { variable, lookupKey, ...terms } of wantedPrices) {
    const price = await account.stripe.prices.retrieve(variables[variable] ?? "");
    expect(price).toMatchObject({
      active: true,
      lookup_key: lookupKey,
      currency: "usd",
      unit_amount: terms.unitAmount,
      product: terms.product.id,
      recurring: { interval: terms.interval, interval_count: 1 },
    });
  }
  const portal = await account.stripe.billingPortal.configurations.retrieve(
    variables.STRIPE_PORTAL_CONFIGURATION ?? "",
  );
  expect(portal.features).toMatchObject({
    customer_update: { enabled: true, allowed_updates: ["email"] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: "at_period_end" },
    subscription_update: { enabled: false },
  });
  const { data: endpoints } = await account.stripe.webhookEndpoints.list();
  expect(endpoints.find(({ url }) => url.startsWith(siteUrl))).toMatchObject({
    url: `${siteUrl}/api/stripe/webhook`,
    api_version: Stripe.API_VERSION,
    enabled_events: handledEventTypes,
  });
  expect(variables.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_/);
  expect(output).toContain("STRIPE_WEBHOOK_SECRET is shown this once");
});

test("a second run writes nothing, says so and prints the same ids", async () => {
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

test("a dry run writes nothing and says what it would do", async () => {
  await using account = await startAccount();
  const { code, output } = await account.setUp(["--dry-run"]);
  expect(code).toBe(0);
  for (const thing of everything) expect(output).toContain(`+ would create: ${thing}`);
  expect(output).toContain("Dry run: nothing was written.");
  expect((await account.requests()).length).toBeGreaterThan(0);
  expect(await account.writes()).toEqual([]);
});

test.each(["sk_live_0123456789abcdef", "rk_live_0123456789abcdef"])(
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

test("--live with a test key is refused: the caller is mistaken about the account", async () => {
  await using account = await startAccount();
  const { code, complaint } = await account.setUp(["--live"]);
  expect(code).toBe(2);
  expect(complaint).toContain("no live key");
  expect(await account.requests()).toEqual([]);
});

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

  await account.stripe.prices.update(price.id, { lookup_key: "", active: false });
  expect((await account.setUp()).code).toBe(0);
});

test("a price with the right amount of another product, interval or currency stops too", async () => {
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
});

test("an archived product or price is not sold again behind somebody's back", async () => {
  await using account = await startAccount();
  const { STRIPE_PRICE_YEARLY = "" } = variablesIn((await account.setUp()).output);
  await account.stripe.products.update("livekit_deploy_basic", { active: false });
  await account.stripe.prices.update(STRIPE_PRICE_YEARLY, { active: false });
  const { code, complaint } = await account.setUp();
  expect(code).toBe(1);
  expect(complaint).toContain("The product Basic (livekit_deploy_basic) is archived.");
  expect(complaint).toContain(`Price ${STRIPE_PRICE_YEARLY} (livekit_deploy_yearly) is archived.`);
});

test("a portal or endpoint that somebody changed is put right; what they added stays", async () => {
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
});

test("two endpoints at our address are a conflict: each signs with its own secret", async () => {
  await using account = await startAccount();
  const url = `${siteUrl}/api/stripe/webhook`;
  for (const _ of [1, 2]) {
    await account.stripe.webhookEndpoints.create({ url, enabled_events: ["*"] });
  }
  const { code, complaint } = await account.setUp();
  expect(code).toBe(1);
  expect(complaint).toContain(`Several webhook endpoints deliver to ${url}`);
});

test("an endpoint of another API version stays, with a word about it", async () => {
  await using account = await startAccount();
  await account.stripe.webhookEndpoints.create({
    url: `${siteUrl}/api/stripe/webhook`,
    enabled_events: [...handledEventTypes],
    api_version: "2024-06-20",
  });
  const { code, output } = await account.setUp();
  expect(code).toBe(0);
  expect(output).toContain("It speaks API version 2024-06-20");
});

test("each site of one account has a portal and an endpoint of its own, and shares the prices", async () => {
  await using account = await startAccount();
  const first = variablesIn((await account.setUp()).output);
  const second = variablesIn(
    (await account.setUp([], { SITE_URL: "https://staging.example/" })).output,
  );
  expect(second.STRIPE_PRICE_PRO).toBe(first.STRIPE_PRICE_PRO);
  expect(second.STRIPE_PORTAL_CONFIGURATION).not.toBe(first.STRIPE_PORTAL_CONFIGURATION);
  expect(second.STRIPE_WEBHOOK_SECRET).not.toBe(first.STRIPE_WEBHOOK_SECRET);
});

test("settings come from the file named by --env-file; the environment goes before it", async () => {
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
});

test.each([
  { args: [], settings: { STRIPE_SECRET_KEY: "" }, says: "STRIPE_SECRET_KEY is missing" },
  { args: [], settings: { STRIPE_SECRET_KEY: "pk_test_1" }, says: "must be a secret" },
  { args: [], settings: { SITE_URL: "" }, says: "SITE_URL is missing" },
  { args: [], settings: { SITE_URL: "ftp://x" }, says: "SITE_URL must be an https URL" },
  {
    args: [],
    settings: { SITE_URL: "http://localhost:8787", STRIPE_API_URL: "" },
    says: "Stripe cannot deliver to http://localhost:8787",
  },
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

test("a refused key and an unreachable Stripe are one line each, without the key", async () => {
  await using account = await startAccount();
  const wrong = await account.setUp([], { STRIPE_SECRET_KEY: "sk_test_wrong_0123456789" });
  expect(wrong.code).toBe(1);
  expect(wrong.complaint).toMatch(/^✗ The account could not be read: Invalid API Key.*\n$/);
  expect(wrong.complaint).not.toContain("sk_test_wrong_0123456789");

  await account.fail("refuse");
  const down = await account.setUp();
  expect(down.code).toBe(1);
  expect(down.complaint).toBe(`✗ The account could not be read: ${account.url} did not answer.\n`);
});

test("Stripe is told to charge what the screens show", () => {
  const shown = {
    STRIPE_PRICE_BASIC: `${plans[0].price}/${plans[0].interval}`,
    STRIPE_PRICE_PRO: `${plans[1].price}/${plans[1].interval}`,
    STRIPE_PRICE_MONTHLY: planOptions[0].priceLabel,
    STRIPE_PRICE_YEARLY: planOptions[1].priceLabel,
  };
  const asked = wantedPrices.map(({ variable, unitAmount, interval }) => {
    const amount = (unitAmount / 100).toFixed(2).replace(".00", "");
    return [variable, `$${amount}/${interval}`];
  });
  expect(Object.fromEntries(asked)).toEqual(shown);
});
