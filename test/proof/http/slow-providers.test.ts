import { beforeAll, expect, test } from "vitest";
import { orderButton } from "../../support/billing/order.ts";
import { stripe } from "../../support/billing/stripe-account.ts";
import { faults, type ProxyHandler } from "../../support/faults/fault-proxy.ts";
import { startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { expectText } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";

// The patience of the Worker is counted in seconds, so these two wait at the same time.
beforeAll(resetFakes);

test.concurrent("when Supabase never answers, pages say so after a while and public ones come at once", async () => {
  await using site = await startSiteWithFaults();
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle("customer.one@example.com");
  const order = await orderButton(visitor, "customer.one@example.com");
  site.supabaseProxy.behave(faults.silence);
  const began = Date.now();
  const unavailable = "Sign-in is not available right now";
  const late = [
    visitor.request("/dashboard").then((response) => expectText(response, 503, unavailable)),
    visitor.request("/signin").then((response) => expectText(response, 503, unavailable)),
    order().then((response) => expectText(response, 503, unavailable)),
  ];
  const left = visitor.post("/signout", {}).then((response) => expect(response.status).toBe(303));
  const open = visitor.request("/pricing").then((response) => expect(response.status).toBe(200));
  const first = await Promise.race([
    open.then(() => "open"),
    ...late.map((each) => each.then(() => "late")),
  ]);
  expect(first).toBe("open");
  await Promise.all([...late, left]);
  expect(Date.now() - began).toBeLessThan(30_000);
});

test.concurrent("when Stripe's first answer never comes, the second try finds the same session", async () => {
  await using site = await startSiteWithFaults();
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle("customer.two@example.com");
  const order = await orderButton(visitor, "customer.two@example.com");
  let tries = 0;
  const firstIsLost: ProxyHandler = async ({ method, path }, forward) => {
    const answer = await forward();
    if (method !== "POST" || path !== "/v1/checkout/sessions") return answer;
    return ++tries === 1 ? "silence" : answer;
  };
  site.stripeProxy.behave(firstIsLost);
  const response = await order();
  expect(response.status).toBe(200);
  const { id } = (await response.json()) as { id: string };
  expect(tries).toBe(2);
  expect((await stripe.checkout.sessions.list()).data.map((session) => session.id)).toEqual([id]);
});
