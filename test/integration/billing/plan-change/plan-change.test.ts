import { beforeEach, expect, test } from "vitest";
import { buy } from "../../../support/billing/hosted-pages.ts";
import {
  onlySubscription,
  paidInvoices,
  planPage,
  press,
  readPlanPage,
} from "../../../support/billing/plan-change.ts";
import { prices, receivedWrites, stripe } from "../../../support/billing/stripe-account.ts";
import { database } from "../../../support/database/database.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import { pollUntil } from "../../../support/site/poll.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

const toPro = "?to=pro";

async function withBasic(): Promise<Visitor> {
  const visitor = await signedIn();
  await buy(visitor, "basic");
  return visitor;
}

const updates = async () =>
  (await receivedWrites()).filter(({ path }) => path.startsWith("/v1/subscriptions/sub_"));

async function useCard(behaviour: "good" | "failing" | "authenticating") {
  const { customer } = await onlySubscription();
  await stripeControl(`customers/${customer}/card`, { behaviour });
}

/** Everything of a subscription that a customer could see or would pay for. */
async function present() {
  const { id, status, items, cancel_at, schedule, pending_update, discounts } =
    await onlySubscription();
  const bought = items.data.map(({ id, price, quantity, current_period_end }) => ({
    id,
    price: price.id,
    quantity,
    current_period_end,
  }));
  return { id, status, bought, cancel_at, schedule, pending_update, discounts };
}

test("what the preview says is due is what the invoice charges, and Pro counts at once", async () => {
  const visitor = await withBasic();
  await stripeControl("webhooks", { paused: true });
  const page = await planPage(visitor, toPro);
  expect(page.status).toBe(200);
  const due = /Due today \$([\d.]+)/.exec(page.words)?.[1] ?? "";
  expect(page.form("change").button).toBe(`Pay $${due} and change to Pro now`);
  expect(page.words).toMatch(/Unused time of Basic -\$[\d.]+ Pro \$999\.99 Due today/);

  const done = await press(visitor, page, "change", { query: toPro });
  expect(done.leadsTo).toBe("/dashboard/plan?done=changed");
  expect(done.words).toContain("Done. You have Pro now.");
  const { latest_invoice: invoice, items } = await onlySubscription();
  expect(items.data.map(({ price }) => price.id)).toEqual([prices.pro]);
  expect(invoice.status).toBe("paid");
  expect(invoice.amount_paid).toBe(Math.round(Number(due) * 100));
  const dashboard = await (await visitor.request("/dashboard")).text();
  expect(dashboard).toContain(">Pro</h3>");
});

test("two presses of the button charge once, and both answers say that it is done", async () => {
  const visitor = await withBasic();
  const page = await planPage(visitor, toPro);
  const [one, other] = await Promise.all([
    press(visitor, page, "change", { query: toPro }),
    press(visitor, page, "change", { query: toPro }),
  ]);
  expect(one.words).toContain("You have Pro now.");
  expect(other.words).toContain("You have Pro now.");
  expect(await paidInvoices()).toHaveLength(2);
  const again = await press(visitor, page, "change", { query: toPro });
  expect(again.words).toContain("You have Pro now.");
  expect(await paidInvoices()).toHaveLength(2);
});

testInProof(
  "a second press while the first is under way waits for it and gets the same answer",
  async () => {
    const visitor = await withBasic();
    const page = await planPage(visitor, toPro);
    const { id } = await onlySubscription();
    const { data: before } = await stripe.invoices.list();
    await stripeControl("faults", {
      mode: "slow",
      delayMs: 1_500,
      match: `/v1/subscriptions/${id}`,
    });
    const answers = await Promise.all([
      press(visitor, page, "change", { query: toPro }),
      press(visitor, page, "change", { query: toPro }),
    ]);
    for (const { words } of answers) expect(words).toContain("You have Pro now.");
    await stripeControl("faults", { mode: "none" });
    expect((await stripe.invoices.list()).data).toHaveLength(before.length + 1);
  },
);

test("a page that has lain open while the amount grew is asked again with the new amount, and that is charged", async () => {
  const visitor = await withBasic();
  const { items } = await onlySubscription();
  const start = items.data[0]?.current_period_start ?? 0;
  await stripeControl("clock", { advanceTo: start + 86_400 });
  const page = await planPage(visitor, toPro);
  await stripeControl("clock", { advanceTo: start + 86_400 + 1_200 });
  const answer = await press(visitor, page, "change", { query: toPro });
  expect(answer.status).toBe(409);
  expect(answer.words).toContain("Your plan or the amount has changed since this page was shown");
  const [before, now] = [page, answer].map((each) => Number(each.form("change").fields.amount));
  // Twenty minutes of a month of $109.99 are five cents.
  expect((now ?? 0) - (before ?? 0)).toBe(5);
  expect(await updates()).toEqual([]);

  const confirmed = await press(visitor, answer, "change", { query: toPro });
  expect(confirmed.words).toContain("Done. You have Pro now.");
  expect(await paidInvoices()).toEqual([now, 10_999]);
});

test("cents that the seconds between the last preview and the charge add are given back", async () => {
  const visitor = await withBasic();
  const { id, items } = await onlySubscription();
  const start = items.data[0]?.current_period_start ?? 0;
  const page = await planPage(visitor, toPro);
  await stripeControl("faults", { mode: "hold", method: "POST", match: `/v1/subscriptions/${id}` });
  const answer = press(visitor, page, "change", { query: toPro });
  await pollUntil(updates, (sent) => sent.length > 0);
  await stripeControl("clock", { advanceTo: start + 1_200 });
  await stripeControl("faults", { mode: "none" });
  expect((await answer).words).toContain("Done. You have Pro now.");
  const shown = Number(page.form("change").fields.amount);
  expect(await paidInvoices()).toEqual([shown + 5, 10_999]);
  const refunds = await stripe.refunds.list();
  expect(refunds.data.map(({ amount }) => amount)).toEqual([5]);
  await press(visitor, page, "change", { query: toPro });
  expect((await stripe.refunds.list()).data).toHaveLength(1);
});

testInProof(
  "of two tabs that confirm different offers at once one is carried out, and one is charged",
  async () => {
    const visitor = await withBasic();
    const [one, other] = [await planPage(visitor, toPro), await planPage(visitor, "?to=yearly")];
    const path = `/v1/subscriptions/${(await onlySubscription()).id}`;
    await stripeControl("faults", { mode: "hold", match: path });
    const answers = Promise.all([
      press(visitor, one, "change", { query: toPro }),
      press(visitor, other, "change", { query: "?to=yearly" }),
    ]);
    // Both have looked at the plan before either is answered.
    await pollUntil(updates, (sent) => sent.length >= 2);
    await stripeControl("faults", { mode: "none" });
    const words = (await answers).map((page) => page.words);
    expect(words.filter((each) => each.includes("Done. You have Pro now."))).toHaveLength(1);
    expect(words.filter((each) => /[Nn]othing was charged/.test(each))).toHaveLength(1);
    expect(await paidInvoices()).toHaveLength(2);
  },
);

test("what a page does not say is not charged: another amount, no moment, another state", async () => {
  const visitor = await withBasic();
  const page = await planPage(visitor, toPro);
  const shown = page.form("change").fields;
  const forged: Record<string, string>[] = [
    { amount: "1" },
    { amount: String(Number(shown.amount) - 1) },
    { amount: String(Number(shown.amount) + 1) },
    { proration: "" },
    { amount: "-89000" },
    { state: "0".repeat(24) },
  ];
  for (const fields of sample(forged, 4)) {
    const answer = await press(visitor, page, "change", { query: toPro, fields });
    expect([fields, answer.status]).toEqual([fields, 409]);
    expect(answer.words).toContain("nothing was charged");
    expect(answer.form("change").button).toMatch(/^Pay \$[\d.]+ and change to Pro now$/);
  }
  expect(await updates()).toEqual([]);
});

test("a declined card leaves everything as it was, and the page says which card", async () => {
  const visitor = await withBasic();
  await useCard("failing");
  const page = await planPage(visitor, toPro);
  const before = await present();
  const paidBefore = await paidInvoices();
  const answer = await press(visitor, page, "change", { query: toPro });
  expect(answer.status).toBe(402);
  expect(answer.words).toContain("Your Visa ending in 0341 was declined.");
  expect(answer.words).toContain("Nothing was charged, and your plan is as it was.");
  expect(answer.words).toContain("Try again");
  expect(answer.words).toContain("Change card");
  expect(await present()).toEqual(before);
  expect(await paidInvoices()).toEqual(paidBefore);
  expect((await onlySubscription()).latest_invoice.status).toBe("void");
  await settledStripeEvents();
  const dashboard = await (await visitor.request("/dashboard")).text();
  expect(dashboard).toContain(">Basic</h3>");
  expect(dashboard).toContain("Active");

  await useCard("good");
  const retried = await press(visitor, await planPage(visitor, toPro), "change", { query: toPro });
  expect(retried.words).toContain("You have Pro now.");
});

testInProof("two presses with a declined card both answer that it was declined", async () => {
  const visitor = await withBasic();
  await useCard("failing");
  const page = await planPage(visitor, toPro);
  const answers = await Promise.all([
    press(visitor, page, "change", { query: toPro }),
    press(visitor, page, "change", { query: toPro }),
  ]);
  // One of them meets the declined payment. The other meets it too, sees it wait, or finds the change given up.
  expect(answers.map(({ status }) => status)).toContain(402);
  for (const { status, words } of answers) {
    expect([402, 409]).toContain(status);
    expect(words).toMatch(
      status === 402
        ? /Nothing was charged, and your plan is as it was\./
        : /Your plan or the amount has changed since this page was shown, so nothing was done and nothing was charged\.|A change already waits for its payment\. Nothing else was changed\./,
    );
    if (status === 402) expect(words).toContain("Your Visa ending in 0341 was declined.");
  }
  expect(await paidInvoices()).toHaveLength(1);
  expect((await onlySubscription()).pending_update).toBeNull();
});

testInProof(
  "a bank that asks leads to Stripe's page, and nothing changes until it is answered",
  async () => {
    const visitor = await withBasic();
    await useCard("authenticating");
    const page = await planPage(visitor, toPro);
    const answer = await press(visitor, page, "change", { query: toPro });
    const { latest_invoice: invoice, pending_update, items } = await onlySubscription();
    expect(answer.leadsTo).toBe(invoice.hosted_invoice_url);
    expect(items.data.map(({ price }) => price.id)).toEqual([prices.basic]);
    expect(pending_update).not.toBeNull();

    const waiting = await planPage(visitor, toPro);
    expect(waiting.words).toContain("Your change to Pro waits for you");
    expect(waiting.hasForm("change")).toBe(false);
    // A tab from before asks again: the same change, not a second one.
    const again = await press(visitor, page, "change", { query: toPro });
    expect(again.status).toBe(409);
    expect(again.words).toContain("A change already waits for its payment.");

    const given = await press(visitor, waiting, "give-up");
    expect(given.words).toContain(
      "The change was given up and nothing was charged. You have Basic.",
    );
    const after = await onlySubscription();
    expect(after.pending_update).toBeNull();
    expect(after.latest_invoice.status).toBe("void");
    expect(await paidInvoices()).toHaveLength(1);
  },
);

test("a plan that somebody else pays for cannot be changed", async () => {
  const visitor = await withBasic();
  const page = await planPage(visitor, toPro);
  const stranger = await signedIn("customer.two@example.com");
  for (const intent of sample(["change", "cancel"], 1)) {
    const answer = await press(stranger, page, intent, { query: toPro });
    expect([intent, answer.status]).toEqual([intent, 404]);
  }
  expect(await updates()).toEqual([]);
});

testInProof(
  "with Stripe down the page says so, and a change that was sent is not said to be done",
  async () => {
    const visitor = await withBasic();
    const page = await planPage(visitor, toPro);
    await stripeControl("faults", { mode: "error500" });
    const shown = await planPage(visitor, toPro);
    expect(shown.status).toBe(503);
    expect(shown.words).toContain("Stripe does not answer right now");
    const answer = await readPlanPage(
      await visitor.post(`/dashboard/plan${toPro}`, page.form("change").fields),
    );
    expect(answer.words).toContain("we cannot say whether this was done. It is never done twice.");
  },
);

testInProof(
  "a subscription to something else of the same Stripe account is no plan to change",
  async () => {
    const visitor = await withBasic();
    const { id, customer } = await onlySubscription();
    const product = await stripe.products.create({ name: "A newsletter" });
    const price = await stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: 100,
      recurring: { interval: "month" },
    });
    await stripeControl("purchases", {
      purchases: [{ email: "customer.one@example.com", customer, price: price.id, card: "good" }],
    });
    const page = await planPage(visitor, toPro);
    expect(page.words).not.toContain("more than one running plan");
    expect(page.form("change").fields.subscription).toBe(id);
  },
);

testInProof("a customer that Stripe does not know stands in nobody's way", async () => {
  const visitor = await withBasic();
  const { data } = await database.from("customers").select("user_id").single().throwOnError();
  await database
    .from("customers")
    .insert({ id: "cus_ofAnotherAccount", user_id: data.user_id, origin: "guest" })
    .throwOnError();
  const page = await planPage(visitor, toPro);
  const answer = await press(visitor, page, "change", { query: toPro });
  expect(answer.words).toContain("You have Pro now.");
});
