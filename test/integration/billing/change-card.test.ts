import { beforeEach, expect, test } from "vitest";
import { foreignProduct } from "../../support/billing/other-products.ts";
import { onlySubscription, planPage, press } from "../../support/billing/plan-change.ts";
import { cards, payOnHostedPage, stripe } from "../../support/billing/stripe-account.ts";
import { testInProof } from "../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";
import { textAt } from "../../support/site/page-text.ts";
import { signedIn } from "../../support/site/visitor.ts";

const billing = "/dashboard/billing";
const mastercard = { intent: "card", card: "5555 5555 5555 4444", expires: "03/41" };

beforeEach(resetFakes);

async function withBasic(card: string = cards.good) {
  const visitor = await signedIn();
  const start = await visitor.post("/pricing", { plan: "basic" });
  await payOnHostedPage(start.headers.get("location") ?? "", { card });
  await settledStripeEvents();
  const { id, customer } = await onlySubscription();
  return { visitor, id, customer: String(customer) };
}

async function renew(id: string) {
  await stripeControl(`subscriptions/${id}/renew`);
  await settledStripeEvents();
}

/** The cards that paid the invoices of a subscription, newest first. */
async function chargedCards(subscription: string): Promise<(string | undefined)[]> {
  const { data } = await stripe.invoices.list({ subscription, status: "paid" });
  return Promise.all(
    data.map(async ({ id }) => {
      const payments = await stripe.invoicePayments.list({
        invoice: id,
        expand: ["data.payment.payment_intent"],
      });
      const intent = payments.data[0]?.payment.payment_intent;
      const method = typeof intent === "object" ? intent.payment_method : undefined;
      const card = await stripe.paymentMethods.retrieve(String(method));
      return card.card?.last4;
    }),
  );
}

/** Types another card into the page that was opened, and comes back; answers the path that it leads to. */
async function saveMastercard(opened: Response): Promise<string> {
  const saved = await fetch(opened.headers.get("location") ?? "", {
    method: "POST",
    body: new URLSearchParams(mastercard),
    redirect: "manual",
  });
  await settledStripeEvents();
  const back = new URL(saved.headers.get("location") ?? "");
  return back.pathname + back.search;
}

test("the card that somebody changes to on the billing page is the one that the renewal charges", async () => {
  const { visitor, id, customer } = await withBasic();
  const back = await saveMastercard(await visitor.post(billing, { customer, flow: "card" }));
  expect(await textAt(visitor, back)).toContain(
    "This is the card that is charged now: Mastercard ending in 4444.",
  );
  expect(await textAt(visitor, "/dashboard")).not.toContain("Visa");
  await renew(id);
  expect(await chargedCards(id)).toEqual(["4444", "4242"]);
});

testInProof("the card that somebody changes to on the plan page pays the change", async () => {
  const { visitor, id } = await withBasic();
  const query = "?to=pro";
  const page = await planPage(visitor, query);
  const fields = { ...page.form("change").fields, intent: "card" };
  const back = await saveMastercard(await visitor.post(`/dashboard/plan${query}`, fields));
  const again = await planPage(visitor, back.slice(back.indexOf("?")));
  expect(again.words).toContain("Paid with Mastercard ending in 4444.");
  await press(visitor, again, "change", { query });
  expect(await chargedCards(id)).toEqual(["4444", "4242"]);
});

testInProof(
  "who looks at the page of the card and leaves it pays with the card that they had",
  async () => {
    const { visitor, id, customer } = await withBasic();
    await visitor.post(billing, { customer, flow: "card" });
    await visitor.post(billing, { customer, flow: "card" });
    await settledStripeEvents();
    expect(await textAt(visitor, `${billing}?notice=card`)).toContain(
      "This is the card that is charged now: Visa ending in 4242.",
    );
    await renew(id);
    expect(await chargedCards(id)).toEqual(["4242", "4242"]);
  },
);

test("a payment that failed is paid with the new card", async () => {
  const { visitor, id, customer } = await withBasic(cards.failsAtRenewal);
  await renew(id);
  expect(await textAt(visitor, billing)).toContain("was declined.");
  await saveMastercard(await visitor.post(billing, { customer, flow: "card" }));
  await stripeControl(`subscriptions/${id}/pay`).catch(() => undefined);
  expect((await chargedCards(id))[0]).toBe("4444");
});

testInProof("a subscription to something else keeps its own card", async () => {
  const { visitor, customer } = await withBasic();
  const { price } = await foreignProduct();
  const purchases = [{ email: "customer.one@example.com", customer, price, card: "failing" }];
  await stripeControl("purchases", { purchases });
  const [foreign] = (await stripe.subscriptions.list({ price })).data;
  await visitor.post(billing, { customer, flow: "card" });
  const after = await stripe.subscriptions.retrieve(foreign?.id ?? "");
  expect(after.default_payment_method).toBe(foreign?.default_payment_method);
  expect(foreign?.default_payment_method).toBeTruthy();
  expect(await textAt(visitor, `${billing}?notice=card`)).toContain(
    "This is the card that is charged now: Visa ending in 4242.",
  );
});

testInProof(
  "the page of the card opens also where Stripe does not take the plan's card off it",
  async () => {
    const { visitor, id, customer } = await withBasic();
    await stripeControl("faults", { mode: "error500", match: `/v1/subscriptions/${id}` });
    const opened = await visitor.post(billing, { customer, flow: "card" });
    await stripeControl("faults", { mode: "none" });
    expect(await (await fetch(opened.headers.get("location") ?? "")).text()).toContain(
      "Change your card",
    );
  },
);
