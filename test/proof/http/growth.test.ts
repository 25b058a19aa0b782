import { createClient } from "@supabase/supabase-js";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subscriptionsOfVisitor } from "~/features/billing/subscriptions/subscriptions.server";
import { handleWebhook } from "~/features/billing/subscriptions/webhook.server";
import { listDeployments } from "~/features/deployments/record/deployments.server";
import type { Database } from "~/platform/database/types";
import { readConfiguration } from "~/platform/env/configuration.server";
import { fakeAddresses } from "../../../fakes/addresses.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { startStripeFake } from "../../../fakes/stripe/fake.ts";
import {
  localJwtSecret,
  type SupabaseFake,
  startSupabaseFake,
} from "../../../fakes/supabase/fake.ts";
import { signToken } from "../../support/auth/access-token.ts";
import { madeUpEvent } from "../../support/billing/webhook-delivery.ts";
import {
  addCustomers,
  addHandledEvents,
  customerNumber,
  rowsRead,
} from "../../support/database/many-rows.ts";
import { portBase } from "../../support/site/own-site.ts";

// Fakes of this file's own: their database can be filled and asked what it has read.
const fakesPortBase = portBase + 22;
const siteUrl = "http://127.0.0.1:9";
const variables = exampleVariables({ siteUrl, portBase: fakesPortBase });
const reading = readConfiguration(variables);
if (!reading.ok) throw new Error(reading.problems.join("; "));
const { configuration } = reading;
const context = { configuration, requestId: "growth" } as Parameters<typeof handleWebhook>[1];

/** Nobody reads without a session that is there. */
const sessionId = crypto.randomUUID();

const reader = {
  configuration,
  supabase: createClient<Database>(
    configuration.SUPABASE_URL,
    configuration.SUPABASE_PUBLISHABLE_KEY,
    {
      accessToken: async () =>
        signToken(
          {
            sub: customerNumber(1),
            role: "authenticated",
            aud: "authenticated",
            session_id: sessionId,
            exp: Math.floor(Date.now() / 1_000) + 3_600,
          },
          localJwtSecret,
        ),
    },
  ),
};

let supabase: SupabaseFake;
let stripe: Awaited<ReturnType<typeof startStripeFake>>;

beforeAll(async () => {
  const addresses = fakeAddresses(fakesPortBase);
  stripe = await startStripeFake({
    port: addresses.stripe.port,
    secretKey: configuration.STRIPE_SECRET_KEY,
    webhook: { url: siteUrl, secret: configuration.STRIPE_WEBHOOK_SECRET },
    prices: {
      basic: configuration.STRIPE_PRICE_BASIC,
      pro: configuration.STRIPE_PRICE_PRO,
      monthly: configuration.STRIPE_PRICE_MONTHLY,
      yearly: configuration.STRIPE_PRICE_YEARLY,
    },
  });
  supabase = await startSupabaseFake({
    port: addresses.supabase.port,
    publishableKey: configuration.SUPABASE_PUBLISHABLE_KEY,
    secretKey: configuration.SUPABASE_SECRET_KEY,
    siteUrl,
    googleUrl: addresses.google.url,
    sendMail() {},
  });
});

afterAll(async () => {
  await supabase?.close();
  await stripe?.close();
});

/** The rows that the database reads for one call, after one that fills the caches. */
async function readFor(call: () => Promise<unknown>): Promise<number> {
  await call();
  const before = await rowsRead(supabase.query);
  await call();
  return (await rowsRead(supabase.query)) - before;
}

test("a customer's pages read no more rows when others have 100,000 deployments", async () => {
  await addCustomers(supabase.query, { first: 1, count: 1, deploymentsEach: 10 });
  await supabase.query("insert into auth.sessions (id, user_id) values ($1, $2)", [
    sessionId,
    customerNumber(1),
  ]);
  const list = async () => {
    const page = await listDeployments(reader.supabase, { id: customerNumber(1) });
    expect(page?.deployments).toHaveLength(10);
    expect(page?.total).toBe(10);
  };
  const subscriptions = async () => {
    const rows = await subscriptionsOfVisitor(reader.supabase, reader, {
      id: customerNumber(1),
    });
    expect(rows?.map(({ id }) => id)).toEqual(["sub_many_1"]);
  };
  const alone = { list: await readFor(list), subscriptions: await readFor(subscriptions) };
  expect(alone.list).toBeGreaterThanOrEqual(10);

  await addCustomers(supabase.query, { first: 2, count: 1_999, deploymentsEach: 50 });
  const [{ count } = { count: 0 }] = await supabase.query<{ count: number }>(
    "select count(*)::int from public.deployments",
  );
  expect(count).toBe(99_960);
  const amongOthers = { list: await readFor(list), subscriptions: await readFor(subscriptions) };
  expect(amongOthers.list).toBeLessThanOrEqual(alone.list + 10);
  expect(amongOthers.subscriptions).toBeLessThanOrEqual(alone.subscriptions + 10);
});

test("a webhook reads no more rows when 10,000 events were handled before", async () => {
  const client = new Stripe(configuration.STRIPE_SECRET_KEY, {
    host: "127.0.0.1",
    port: fakeAddresses(fakesPortBase).stripe.port,
    protocol: "http",
  });
  const { id } = await client.customers.create({ email: "webhook@example.com" });
  const deliver = async () => {
    const payload = JSON.stringify(madeUpEvent("customer.updated", { id, object: "customer" }));
    const secret = configuration.STRIPE_WEBHOOK_SECRET;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
    const request = new Request(`${siteUrl}/api/stripe/webhook`, {
      method: "POST",
      body: payload,
      headers: { "stripe-signature": signature },
    });
    const response = await handleWebhook(request, context);
    expect(await response.json()).toEqual({ outcome: "Handled" });
  };
  const first = await readFor(deliver);
  expect(first).toBeGreaterThan(0);
  await addHandledEvents(supabase.query, 10_000);
  expect(await readFor(deliver)).toBeLessThanOrEqual(first + 10);
});
