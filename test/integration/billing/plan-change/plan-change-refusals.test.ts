import { beforeEach, expect, test } from "vitest";
import { buy } from "../../../support/billing/hosted-pages.ts";
import {
  onlySubscription,
  paidInvoices,
  planPage,
  press,
} from "../../../support/billing/plan-change.ts";
import { prices, receivedRequests, stripe } from "../../../support/billing/stripe-account.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes, stripeControl } from "../../../support/site/control-fakes.ts";
import { pollUntil } from "../../../support/site/poll.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

const toBasic = "?to=basic";
const toPro = "?to=pro";

async function having(plan: "basic" | "pro"): Promise<Visitor> {
  const visitor = await signedIn();
  await buy(visitor, plan);
  return visitor;
}

async function payWith(behaviour: "good" | "failing" | "authenticating") {
  const { customer } = await onlySubscription();
  await stripeControl(`customers/${customer}/card`, { behaviour });
}

/** Does `meanwhile` after the site has sent a request and before Stripe carries it out. */
async function whileHeld<Answer>(
  held: { method: "GET" | "POST"; match: string },
  sent: () => Promise<Answer>,
  meanwhile: () => Promise<unknown>,
): Promise<Answer> {
  await stripeControl("faults", { mode: "hold", ...held });
  const answer = sent();
  await pollUntil(receivedRequests, (requests) =>
    requests.some(
      ({ method, path, status }) =>
        method === held.method && path.startsWith(held.match) && status === null,
    ),
  );
  await meanwhile();
  await stripeControl("faults", { mode: "none" });
  return answer;
}

async function schedules(): Promise<string[]> {
  const { data } = await stripe.subscriptionSchedules.list();
  return data.map(({ status }) => status);
}

testInProof(
  "a change is planned, taken back and planned again, and Stripe has it each time",
  async () => {
    const visitor = await having("pro");
    for (let time = 1; time <= 3; time++) {
      const page = await planPage(visitor, toBasic);
      const planned = await press(visitor, page, "change", { query: toBasic });
      expect(planned.words).toContain("your plan changes to Basic.");
      expect((await onlySubscription()).schedule).not.toBeNull();
      if (time < 3) await press(visitor, planned, "keep");
    }
    const [item] = (await onlySubscription()).items.data;
    const end = item?.current_period_end ?? 0;
    await stripeControl("clock", { advanceTo: end + 2 * 3_600 });
    expect(await paidInvoices()).toEqual([10_999, 99_999]);
  },
);

testInProof("a plan is cancelled, kept and cancelled again, and ends", async () => {
  const visitor = await having("basic");
  for (let time = 1; time <= 2; time++) {
    const cancelled = await press(visitor, await planPage(visitor), "cancel");
    expect(cancelled.words).toContain("Done. Basic ends on");
    expect((await onlySubscription()).cancel_at_period_end).toBe(true);
    if (time === 2) break;
    await press(visitor, cancelled, "resume");
    expect((await onlySubscription()).cancel_at_period_end).toBe(false);
  }
});

testInProof(
  "a declined change is declined anew each time, and made once the card pays",
  async () => {
    const visitor = await having("basic");
    await payWith("failing");
    for (let time = 1; time <= 2; time++) {
      const page = await planPage(visitor, toPro);
      const answer = await press(visitor, page, "change", { query: toPro });
      expect(answer.words).toContain("was declined.");
    }
    await payWith("good");
    const paid = await press(visitor, await planPage(visitor, toPro), "change", { query: toPro });
    expect(paid.words).toContain("You have Pro now.");
    expect(await paidInvoices()).toHaveLength(2);
  },
);

testInProof(
  "a change that another request takes back at that moment is not said to be planned",
  async () => {
    const visitor = await having("pro");
    const page = await planPage(visitor, toBasic);
    const { id } = await onlySubscription();
    const answer = await whileHeld(
      { method: "GET", match: `/v1/subscriptions/${id}` },
      () => press(visitor, page, "change", { query: toBasic }),
      async () => {
        const { data } = await stripe.subscriptionSchedules.list();
        await stripe.subscriptionSchedules.release(data[0]?.id ?? "");
      },
    );
    expect(answer.status).toBe(409);
    expect(answer.words).toContain("nothing was done");
    expect(answer.words).not.toContain("your plan changes to Basic");
  },
);

test("a plan with something else on its subscription is not changed here: that would end at once", async () => {
  const visitor = await having("pro");
  const before = await planPage(visitor, toBasic);
  const { id } = await onlySubscription();
  const product = await stripe.products.create({ name: "Support by telephone" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 50_000,
    recurring: { interval: "year" },
  });
  await stripe.subscriptions.update(id, {
    items: [{ price: price.id, quantity: 1 }],
    proration_behavior: "none",
  });
  const page = await planPage(visitor, toBasic);
  expect(page.hasForm("change")).toBe(false);
  expect(page.words).toContain("You pay for something else together with this plan");
  expect(page.words).toContain("Write to us on /contact");
  const answer = await press(visitor, before, "change", { query: toBasic });
  expect(answer.status).toBe(409);
  expect(await schedules()).toEqual([]);
  expect((await onlySubscription()).items.data).toHaveLength(2);
});

async function waiting(visitor: Visitor) {
  await payWith("authenticating");
  await press(visitor, await planPage(visitor, toPro), "change", { query: toPro });
  const { latest_invoice: invoice } = await onlySubscription();
  const confirm = () =>
    visitor.post(invoice.hosted_invoice_url ?? "", { authentication: "complete" });
  return { page: await planPage(visitor), invoice, confirm };
}

testInProof("a change that was paid before it is given up is said to be made", async () => {
  const visitor = await having("basic");
  const { page, confirm } = await waiting(visitor);
  await confirm();
  const answer = await press(visitor, page, "give-up");
  expect(answer.words).toContain("Done. You have Pro now.");
  expect(answer.words).not.toContain("nothing was charged");
});

testInProof("a change that is paid in the moment it is given up is said to be made", async () => {
  const visitor = await having("basic");
  const { page, invoice, confirm } = await waiting(visitor);
  const answer = await whileHeld(
    { method: "POST", match: `/v1/invoices/${invoice.id}` },
    () => press(visitor, page, "give-up"),
    confirm,
  );
  expect(answer.words).toContain("Done. You have Pro now.");
  expect(answer.words).not.toContain("nothing was charged");
  expect(await paidInvoices()).toHaveLength(2);
});

testInProof(
  "a planned change that Stripe refuses leaves no schedule behind, and the page says so",
  async () => {
    const visitor = await having("pro");
    const page = await planPage(visitor, toBasic);
    const answer = await whileHeld(
      { method: "POST", match: "/v1/subscription_schedules" },
      () => press(visitor, page, "change", { query: toBasic }),
      () => stripe.prices.update(prices.basic, { active: false }),
    );
    expect(answer.status).toBe(409);
    expect(answer.words).toContain("Stripe did not accept this, so it was not carried out");
    expect(await schedules()).toEqual(["released"]);
  },
);

testInProof(
  "a change to Pro that Stripe refuses is said to be refused, and can be made afterwards",
  async () => {
    const visitor = await having("basic");
    const page = await planPage(visitor, toPro);
    const { id } = await onlySubscription();
    const answer = await whileHeld(
      { method: "POST", match: `/v1/subscriptions/${id}` },
      () => press(visitor, page, "change", { query: toPro }),
      () => stripe.prices.update(prices.pro, { active: false }),
    );
    expect(answer.status).toBe(409);
    expect(answer.words).toContain("Stripe did not accept this, so it was not carried out");
    await stripe.prices.update(prices.pro, { active: true });
    const changed = await press(visitor, await planPage(visitor, toPro), "change", {
      query: toPro,
    });
    expect(changed.words).toContain("You have Pro now.");
  },
);

testInProof("a cancellation that Stripe refuses is said to be refused", async () => {
  const visitor = await having("basic");
  const page = await planPage(visitor);
  const { id } = await onlySubscription();
  const answer = await whileHeld(
    { method: "POST", match: `/v1/subscriptions/${id}` },
    () => press(visitor, page, "cancel"),
    () => stripe.subscriptionSchedules.create({ from_subscription: id }),
  );
  expect(answer.status).toBe(409);
  expect(answer.words).toContain("Stripe did not accept this, so it was not carried out");
  expect((await onlySubscription()).cancel_at_period_end).toBe(false);
});

testInProof(
  "a customer who tries again while Stripe keeps the answer to another try reads when to come back",
  async () => {
    const visitor = await having("basic");
    const page = await planPage(visitor, toPro);
    const { id } = await onlySubscription();
    const lifetime = Math.floor(Date.now() / 300_000);
    for (const edge of [lifetime, lifetime + 1]) {
      const idempotencyKey = `change-${id}-${page.form("change").fields.state}-${edge}`;
      await stripe.subscriptions.update(id, { metadata: { note: "another" } }, { idempotencyKey });
    }
    const answer = await press(visitor, page, "change", { query: toPro });
    expect(answer.status).toBe(409);
    expect(answer.words).toContain("this one was not carried out and charged nothing.");
    expect(answer.words).toContain("please try again in five minutes");
    expect(answer.words).not.toContain("Stripe does not answer");
    expect(await paidInvoices()).toHaveLength(1);
  },
);

testInProof("who has no card at all is asked to add one, and nothing is sent", async () => {
  const visitor = await having("basic");
  const { id } = await onlySubscription();
  await stripe.subscriptions.update(id, { default_payment_method: "" });
  const page = await planPage(visitor, toPro);
  const answer = await press(visitor, page, "change", { query: toPro });
  expect(answer.status).toBe(402);
  expect(answer.words).toContain("There is no card to pay with");
  expect(answer.form("card").button).toBe("Add a card");
  expect((await onlySubscription()).pending_update).toBeNull();
  expect(await paidInvoices()).toHaveLength(1);
});

/** What the operator has agreed with a customer: the present price for a year, then another. */
async function planByHand() {
  const { id, items } = await onlySubscription();
  const [item] = items.data;
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: "release",
    phases: [
      {
        items: [{ price: item?.price.id ?? "", quantity: 1 }],
        start_date: schedule.current_phase?.start_date ?? 0,
        end_date: item?.current_period_end ?? 0,
      },
      { items: [{ price: prices.yearly, quantity: 1 }] },
    ],
  });
}

test("what the operator has planned for a customer is not taken back by a button", async () => {
  const visitor = await having("basic");
  const before = await planPage(visitor, toPro);
  await planByHand();
  const page = await planPage(visitor, toPro);
  expect(page.words).toContain("We have planned something for this plan together with you");
  expect(page.words).toContain("Write to us on /contact");
  for (const intent of ["change", "cancel", "keep"]) expect(page.hasForm(intent)).toBe(false);

  const answer = await press(visitor, before, "cancel", { fields: { intent: "keep" } });
  expect(answer.status).toBe(409);
  expect(await schedules()).toEqual(["active"]);
});

testInProof(
  "a plan that ends by a schedule of the operator is neither changed nor cancelled by a button",
  async () => {
    const visitor = await having("basic");
    const page = await planPage(visitor, toPro);
    const { id } = await onlySubscription();
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    await stripe.subscriptionSchedules.update(schedule.id, { end_behavior: "cancel" });
    for (const intent of ["change", "cancel"]) {
      const answer = await press(visitor, page, intent, { query: toPro });
      expect([intent, answer.status]).toEqual([intent, 409]);
      expect(answer.words).toContain("We have planned something for this plan together with you");
    }
    expect(await schedules()).toEqual(["active"]);
    expect((await onlySubscription()).cancel_at_period_end).toBe(false);
    expect(await paidInvoices()).toHaveLength(1);
  },
);

testInProof("a schedule that was begun and not finished is in nobody's way", async () => {
  const visitor = await having("basic");
  const { id } = await onlySubscription();
  await stripe.subscriptionSchedules.create({ from_subscription: id });
  const changed = await press(visitor, await planPage(visitor, toPro), "change", { query: toPro });
  expect(changed.words).toContain("You have Pro now.");
  const [item] = (await onlySubscription()).items.data;
  expect(item?.price.id).toBe(prices.pro);
});

testInProof(
  "a change whose card was declined at Stripe is not said to wait for the bank",
  async () => {
    const visitor = await having("basic");
    const { id, items } = await onlySubscription();
    await payWith("failing");
    await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? "", price: prices.pro }],
      payment_behavior: "pending_if_incomplete",
      proration_behavior: "always_invoice",
    });
    const page = await planPage(visitor);
    expect(page.words).toContain("Your change to Pro waits for you");
    expect(page.words).toMatch(/The payment of \$[\d.]+ was not made\. Pay it on Stripe's page/);
    expect(page.words).not.toContain("Your bank asks");
  },
);

testInProof("a change whose payment the bank asks about says so", async () => {
  const { page } = await waiting(await having("basic"));
  expect(page.words).toMatch(/Your bank asks you to confirm the payment of \$[\d.]+\./);
});
