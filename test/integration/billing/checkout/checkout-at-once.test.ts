import { afterEach, beforeEach, expect, test } from "vitest";
import { receivedRequests, stripe } from "../../../support/billing/stripe-account.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { resetFakes, stripeControl } from "../../../support/site/control-fakes.ts";
import { pollUntil } from "../../../support/site/poll.ts";
import { Visitor } from "../../../support/site/visitor.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);
afterEach(() => stripeControl("faults", { mode: "none" }));

/** Stripe takes a while: a request to this path waits until one with its key was refused so often. */
async function untilRefused(path: string, times: number): Promise<void> {
  await pollUntil(
    async () =>
      (await receivedRequests()).filter((each) => each.path === path && each.status === 409),
    (refused) => refused.length >= times,
  );
  await stripeControl("faults", { mode: "none" });
}

/** More often than Stripe's client sends a request again by itself. */
const often = 4;

testInProof(
  "a guest's double click while Stripe is slow is one session, and both clicks lead there",
  async () => {
    const visitor = new Visitor();
    const attempt = crypto.randomUUID();
    await stripeControl("faults", {
      mode: "hold",
      match: "/v1/checkout/sessions",
      method: "POST",
    });
    const clicks = [1, 2].map(() => visitor.post("/pricing", { plan: "basic", attempt }));
    await untilRefused("/v1/checkout/sessions", often);
    const responses = await Promise.all(clicks);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    const sessions = (await stripe.checkout.sessions.list()).data;
    expect(sessions).toHaveLength(1);
    expect(responses.map(({ headers }) => headers.get("location"))).toEqual([
      sessions[0]?.url,
      sessions[0]?.url,
    ]);
  },
);

testInProof.each(
  sample(
    [
      ["the first customer", "/v1/customers"],
      ["the session", "/v1/checkout/sessions"],
    ],
    1,
  ),
)(
  "two tabs of one person while Stripe takes long to make %s lead to one session",
  async (_, path) => {
    const visitor = new Visitor();
    await visitor.signInWithGoogle(email);
    await stripeControl("faults", { mode: "hold", match: path, method: "POST" });
    const tabs = [1, 2].map(() => visitor.twin().post("/pricing", { plan: "pro" }));
    await untilRefused(path, often);
    const responses = await Promise.all(tabs);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect((await stripe.customers.list()).data).toHaveLength(1);
    const open = (await stripe.checkout.sessions.list({ status: "open" })).data;
    expect(open).toHaveLength(1);
    expect(new Set(responses.map(({ headers }) => headers.get("location")))).toEqual(
      new Set([open[0]?.url]),
    );
  },
);

test("two tabs with different plans while Stripe is slow leave one session to pay", async () => {
  const visitor = new Visitor();
  await visitor.signInWithGoogle(email);
  await stripeControl("faults", {
    mode: "hold",
    match: "/v1/checkout/sessions",
    method: "POST",
  });
  const tabs = ["basic", "pro"].map((plan) => visitor.twin().post("/pricing", { plan }));
  await untilRefused("/v1/checkout/sessions", often);
  const responses = await Promise.all(tabs);
  expect(responses.map(({ status }) => status)).toEqual([303, 303]);
  const open = (await stripe.checkout.sessions.list({ status: "open" })).data;
  expect(open).toHaveLength(1);
  expect(responses.map(({ headers }) => headers.get("location"))).toContain(open[0]?.url);
});

testInProof(
  "a key that stays in use ends the wait with a sentence, and nothing is made twice",
  async () => {
    const visitor = new Visitor();
    const attempt = crypto.randomUUID();
    await stripeControl("faults", {
      mode: "hold",
      match: "/v1/checkout/sessions",
      method: "POST",
    });
    const responses = await Promise.all(
      [1, 2].map(() => visitor.post("/pricing", { plan: "basic", attempt })),
    );
    expect(responses.map(({ status }) => status)).toEqual([502, 502]);
    expect(await responses[1]?.text()).toContain("Something went wrong. Please try again.");
    await stripeControl("faults", { mode: "none" });
    const again = await visitor.post("/pricing", { plan: "basic", attempt });
    expect(again.status).toBe(303);
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
  },
);
