import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { closeHttpServer } from "emulate";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { rules } from "../../../fakes/stripe/rules/rules.ts";
import { flows } from "../../../scripts/stripe-check/flows.ts";
import { startAccount, testKey } from "../../support/billing/stripe-setup-command.ts";
import { runCommand } from "../../support/commands/run-command.ts";
import { testInProof } from "../../support/run/variants.ts";

let account: Awaited<ReturnType<typeof startAccount>>;
beforeAll(async () => {
  account = await startAccount();
});
afterAll(() => account?.[Symbol.asyncDispose]());
beforeEach(() => fetch(`${account.url}/_local/reset`, { method: "POST" }));

function check(settings: Record<string, string> = {}) {
  return runCommand("scripts/stripe-check/stripe-check.ts", [], {
    environment: { STRIPE_SECRET_KEY: testKey, STRIPE_API_URL: account.url, ...settings },
  });
}

test("every flow is as expected, every rule without proof is asked about, and nothing is left", async () => {
  const { stripe } = account;
  const before = (await stripe.prices.list({ active: true, limit: 100 })).data.length;
  const { code, output } = await check();
  for (const { name } of flows) expect(output).toContain(`✓ as expected: ${name}`);
  expect(code).toBe(0);
  const unconfirmed = Object.entries(rules).filter(
    ([, { evidence }]) => evidence === "unconfirmed",
  );
  expect(unconfirmed.length).toBeGreaterThan(0);
  for (const [name] of unconfirmed)
    expect(output).toMatch(new RegExp(`^${name}: (refused as in the fake|not tried)`, "m"));
  expect(output).not.toContain("Not taken away");
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await stripe.subscriptions.list()).data).toEqual([]);
  expect((await stripe.checkout.sessions.list({ status: "open" })).data).toEqual([]);
  expect((await stripe.prices.list({ active: true, limit: 100 })).data).toHaveLength(before);
});

test.each([
  ["a live key", { STRIPE_SECRET_KEY: "sk_live_0123456789" }, /is a live key/],
  ["a live restricted key", { STRIPE_SECRET_KEY: "rk_live_0123456789" }, /is a live key/],
  ["no key", { STRIPE_SECRET_KEY: "" }, /STRIPE_SECRET_KEY is missing/],
  ["a publishable key", { STRIPE_SECRET_KEY: "pk_test_0123456789" }, /must be a key of test mode/],
])("%s is refused with a sentence, and nothing is sent", async (_, settings, sentence) => {
  const { code, complaint } = await check(settings);
  expect(code).toBe(2);
  expect(complaint).toMatch(sentence);
  expect(await account.requests()).toEqual([]);
});

/** What Stripe says through this, which lets keys have any length. */
async function answered(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  const key = headers.get("idempotency-key");
  if (key) headers.set("idempotency-key", key.slice(-200));
  const body = request.method === "GET" ? {} : { body: await request.text() };
  headers.delete("content-length");
  return fetch(account.url + pathname + search, { method: request.method, headers, ...body });
}

testInProof(
  "a rule without proof that Stripe does not have is said, and the check fails",
  async () => {
    const server = serve({ port: 0, hostname: "127.0.0.1", fetch: answered });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { code, output } = await check({ STRIPE_API_URL: `http://127.0.0.1:${port}` });
    await closeHttpServer(server as Parameters<typeof closeHttpServer>[0]);
    expect(output).toContain("key-that-is-too-long: Stripe takes it, and the fake does not");
    expect(code).toBe(1);
  },
);

test("what Stripe answers otherwise is said, and the check fails", async () => {
  await account.fail("error500");
  const { code, complaint } = await check();
  expect(code).toBe(1);
  expect(complaint).toContain("Nothing could be made in the account");
});
