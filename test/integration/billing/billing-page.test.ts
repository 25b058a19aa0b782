import type Stripe from "stripe";
import { beforeEach, expect, test } from "vitest";
import { foreignProduct } from "../../support/billing/other-products.ts";
import {
  buyAtStripe,
  payOnHostedPage,
  prices,
  receivedRequests,
  stripe,
} from "../../support/billing/stripe-account.ts";
import { testInProof } from "../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { siteVariables } from "../../support/site/variables.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const other = "customer.two@example.com";
const billing = "/dashboard/billing";

beforeEach(resetFakes);

const cards = {
  good: "4242 4242 4242 4242",
  failsLater: "4000 0000 0000 0341",
  asks: "4000 0027 6000 3184",
};

/** Buys on the pricing page; what else is typed at the checkout may be given. */
async function subscribed(visitor: Visitor, card = cards.good, plan = "basic") {
  const start = await visitor.post("/pricing", { plan });
  await payOnHostedPage(start.headers.get("location") ?? "", { card });
  await settledStripeEvents();
  const [subscription] = (await stripe.subscriptions.list()).data;
  if (!subscription) throw new Error("Stripe has no subscription");
  return { id: subscription.id, customer: String(subscription.customer), subscription };
}

function dayOf(seconds: number): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(
    seconds * 1_000,
  );
}

async function renew(id: string) {
  await stripeControl(`subscriptions/${id}/renew`);
  await settledStripeEvents();
}

/** The addresses of the links of a page, by what is read out for them. */
async function linksAt(visitor: Visitor, path: string): Promise<Map<string, string>> {
  const page = await (await visitor.request(path)).text();
  return new Map(
    [...page.matchAll(/<a [^>]*>/g)].flatMap(([tag]) => {
      const label = /aria-label="([^"]*)"/.exec(tag)?.[1];
      const href = /href="([^"]*)"/.exec(tag)?.[1];
      return label && href ? [[label, href.replaceAll("&amp;", "&")] as const] : [];
    }),
  );
}

test("billing shows the card, the next payment to the cent, and an invoice with its page and a PDF that is one", async () => {
  const visitor = await signedIn();
  const { subscription } = await subscribed(visitor);
  const words = await textAt(visitor, billing);
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  expect(words).toContain("Card Visa ending in 4242 Works until December 31,");
  expect(words).toContain(`Next payment Basic: $109.99 on ${dayOf(end)}`);
  const [invoice] = (await stripe.invoices.list()).data;
  const number = invoice?.number ?? "";
  expect(words).toContain(
    `Invoices ${dayOf(invoice?.created ?? 0)} ${number} $109.99 Paid View PDF`,
  );
  const links = await linksAt(visitor, billing);
  const page = await fetch(links.get(`View invoice ${number}`) ?? "");
  expect(await page.text()).toContain(`Invoice ${number}`);
  const pdf = await fetch(links.get(`PDF of invoice ${number}`) ?? "");
  expect((await pdf.text()).slice(0, 5)).toBe("%PDF-");
});

test("what was refunded, whole or in part, and what is disputed is said of its invoice", async () => {
  const visitor = await signedIn();
  const { id } = await subscribed(visitor);
  for (let month = 0; month < 2; month += 1) await stripeControl(`subscriptions/${id}/renew`);
  await settledStripeEvents();
  const { data } = await stripe.invoices.list({ expand: ["data.payments"] });
  const [disputed, part, whole] = data.map(({ number, payments }) => ({
    number,
    payment: String(payments?.data[0]?.payment.payment_intent),
  }));
  await stripe.refunds.create({ payment_intent: whole?.payment ?? "" });
  await stripe.refunds.create({ payment_intent: part?.payment ?? "", amount: 500 });
  const dispute = (await stripeControl(`subscriptions/${id}/dispute`)) as { id: string };
  const words = await textAt(visitor, billing);
  expect(words).toContain(`${whole?.number} $109.99 Refunded $109.99 given back View`);
  expect(words).toContain(`${part?.number} $109.99 Partly refunded $5.00 given back View`);
  expect(words).toContain(`${disputed?.number} $109.99 Disputed View`);
  expect(words).not.toContain("$109.99 Paid");
  await stripeControl(`disputes/${dispute.id}/won`);
  expect(await textAt(visitor, billing)).toContain(`${disputed?.number} $109.99 Paid View`);
});

test("a plan whose webhook was lost is recorded when its owner looks at their invoices", async () => {
  const visitor = await signedIn();
  await stripeControl("webhooks", { paused: true });
  const start = await visitor.post("/pricing", { plan: "basic" });
  await payOnHostedPage(start.headers.get("location") ?? "", { card: cards.good });
  expect(await textAt(visitor, "/dashboard")).toContain("No plan yet");
  expect(await textAt(visitor, billing)).toContain("Next payment Basic: $109.99 on");
  expect(await textAt(visitor, "/dashboard")).not.toContain("No plan yet");
});

test("the days of payments are said to be those of UTC, on each page that names one", async () => {
  const visitor = await signedIn();
  await subscribed(visitor);
  for (const page of ["/dashboard", "/dashboard/billing", "/dashboard/plan"])
    expect([page, await textAt(visitor, page)]).toEqual([
      page,
      expect.stringContaining("Days are those of Coordinated Universal Time (UTC)."),
    ]);
});

testInProof("without a purchase billing says so and leads to the prices", async () => {
  const visitor = await signedIn();
  const words = await textAt(visitor, billing);
  expect(words).toContain("No invoices yet");
  expect(words).toContain("Choose a plan");
  expect(words).not.toContain("Manage billing");
  expect(await receivedRequests()).toEqual([]);
});

testInProof("more than twelve invoices are shown a dozen at a time, each once", async () => {
  const visitor = await signedIn();
  const { id } = await subscribed(visitor);
  for (let month = 0; month < 13; month += 1) await stripeControl(`subscriptions/${id}/renew`);
  const numbers = (await stripe.invoices.list({ limit: 100 })).data.map(({ number }) => number);
  expect(numbers).toHaveLength(14);
  const first = await textAt(visitor, billing);
  expect(numbers.filter((number) => first.includes(number ?? "-"))).toEqual(numbers.slice(0, 12));
  const page = await (await visitor.request(billing)).text();
  const older = /href="([^"]*)"[^>]*>Show older</.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await textAt(visitor, older);
  expect(numbers.filter((number) => second.includes(number ?? "-"))).toEqual(numbers.slice(12));
  expect(second).toContain("Show newest");
  expect(second).not.toContain("Show older");
});

test("an id from the address shows nobody else's invoices, and a made-up one the newest", async () => {
  const theirs = await subscribed(await signedIn());
  const [foreign] = (await stripe.invoices.list({ customer: theirs.customer })).data;
  const visitor = await signedIn(other);
  const empty = await textAt(visitor, `${billing}?customer=${theirs.customer}&after=in_1`);
  expect(empty).toContain("No invoices yet");
  const mine = await subscribed(visitor, cards.good, "pro");
  const [invoice] = (await stripe.invoices.list({ customer: mine.customer })).data;
  const queries = [
    `customer=${theirs.customer}`,
    `customer=${mine.customer}&after=${foreign?.id}`,
    `customer=${mine.customer}&after=in_made_up`,
    `customer=${mine.customer}&after=`,
  ];
  for (const query of queries) {
    const words = await textAt(visitor, `${billing}?${query}`);
    expect.soft(words, query).toContain(invoice?.number);
    expect.soft(words, query).not.toContain(foreign?.number);
  }
});

testInProof("tax, discount and credit are in the amounts, and said beside them", async () => {
  const visitor = await signedIn();
  const { id, customer } = await subscribed(visitor);
  await stripe.customers.update(customer, { address: { country: "DE", line1: "Weg 1" } });
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
  await stripe.promotionCodes.create({
    code: "HALF",
    promotion: { type: "coupon", coupon: coupon.id },
  });
  await stripe.customers.createBalanceTransaction(customer, { amount: -1000, currency: "usd" });
  await stripe.subscriptions.cancel(id);
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer,
    line_items: [{ price: prices.basic, quantity: 1 }],
    discounts: [{ coupon: coupon.id }],
    automatic_tax: { enabled: true },
    success_url: "http://localhost/success",
    customer_update: { address: "auto" },
  });
  const address = { country: "DE", line1: "Weg 1", city: "Berlin", postal_code: "10115" };
  await fetch(session.url ?? "", {
    method: "POST",
    body: new URLSearchParams({ card: cards.good, ...address }),
    redirect: "manual",
  });
  await settledStripeEvents();
  const words = await textAt(visitor, billing);
  expect(words).toContain(
    "$65.44 Paid with $10.45 tax, after $55.00 discount, $10.00 paid from credit",
  );
  expect(words).toContain("Next payment Basic: $65.44 on");
  expect(await textAt(visitor, "/dashboard")).toContain(
    "$54.99 per month plus tax 50% off $109.99",
  );
  await stripe.customers.createBalanceTransaction(customer, { amount: -2500, currency: "usd" });
  const credited = await textAt(visitor, billing);
  expect(credited).toContain("Credit $25.00 It pays your next invoices first.");
  expect(credited).toContain("Next payment Basic: $40.44 on");
  expect(credited).toContain("after $25.00 from credit");
});

testInProof(
  "a declined renewal says what failed, when it is tried again and how to pay",
  async () => {
    const visitor = await signedIn();
    const { id } = await subscribed(visitor, cards.failsLater);
    await renew(id);
    const words = await textAt(visitor, billing);
    const [open] = (await stripe.invoices.list({ status: "open" })).data;
    expect(words).toContain(
      "The payment of $109.99 failed, because your card (Visa ending in 0341) was declined.",
    );
    expect(words).toContain(
      `Stripe tries again on ${dayOf(open?.next_payment_attempt ?? 0)}. If the last try fails too, your plan ends`,
    );
    expect(words).toContain("Pay now Change card");
    const links = await linksAt(visitor, billing);
    expect(links.get(`Pay now: invoice ${open?.number}`)).toBe(open?.hosted_invoice_url);
  },
);

testInProof(
  "a renewal that the bank wants confirmed leads to the confirmation, not to another card",
  async () => {
    const visitor = await signedIn();
    const { id, customer } = await subscribed(visitor);
    await stripeControl(`customers/${customer}/card`, { behaviour: "authenticating" });
    await renew(id);
    const words = await textAt(visitor, billing);
    expect(words).toContain(
      "Your bank wants you to confirm the payment of $109.99. The card is fine.",
    );
    expect(words).toContain("Confirm and pay Card");
    expect(await textAt(visitor, "/dashboard")).not.toContain("Update your card");
  },
);

testInProof("an expired card is named as the reason", async () => {
  const visitor = await signedIn();
  const start = await visitor.post("/pricing", { plan: "basic" });
  const now = new Date();
  await fetch(start.headers.get("location") ?? "", {
    method: "POST",
    body: new URLSearchParams({
      card: cards.good,
      expires: `${now.getUTCMonth() + 1}/${now.getUTCFullYear()}`,
    }),
    redirect: "manual",
  });
  await settledStripeEvents();
  const [subscription] = (await stripe.subscriptions.list()).data;
  await renew(subscription?.id ?? "");
  expect(await textAt(visitor, billing)).toContain(
    "The payment of $109.99 failed, because your card (Visa ending in 4242) has expired.",
  );
});

testInProof("while Stripe is away billing says so and shows what our record knows", async () => {
  const visitor = await signedIn();
  const { subscription } = await subscribed(visitor);
  await stripeControl("faults", { mode: "error500" });
  const response = await visitor.request(billing);
  expect(response.status).toBe(503);
  const words = textOfHtml(await response.text());
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  expect(words).toContain(
    "Stripe does not answer right now. What you see is the last known state.",
  );
  expect(words).toContain("Card Visa ending in 4242");
  expect(words).toContain(`Basic, active, $109.99 per month. Renews on ${dayOf(end)}.`);
  expect(words).not.toContain("Show older");
});

testInProof("two customers of one person are both shown, each with whose it is", async () => {
  const visitor = await signedIn();
  await subscribed(visitor);
  await buyAtStripe({ email, price: prices.pro });
  await settledStripeEvents();
  await visitor.signInWithGoogle(email);
  const words = await textAt(visitor, billing);
  expect(words.split(`Bought with ${email}`)).toHaveLength(3);
  expect(words).toContain("$109.99 on");
  expect(words).toContain("$999.99 on");
});

testInProof("a plan that ends says that nothing more is charged", async () => {
  const visitor = await signedIn();
  const { id, subscription } = await subscribed(visitor);
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  expect(await textAt(visitor, billing)).toContain(
    `Next payment Basic: nothing, as it ends on ${dayOf(end)}.`,
  );
});

testInProof(
  "Change card opens Stripe's page for that alone, and leads back with what was done",
  async () => {
    const visitor = await signedIn();
    const { customer } = await subscribed(visitor);
    const opened = await visitor.post(billing, { customer, flow: "card" });
    const portal = opened.headers.get("location") ?? "";
    expect(await (await fetch(portal)).text()).toContain("Change your card");
    const saved = await fetch(portal, {
      method: "POST",
      body: new URLSearchParams({ intent: "card", card: "5555 5555 5555 4444", expires: "03/41" }),
      redirect: "manual",
    });
    const back = new URL(saved.headers.get("location") ?? "");
    expect(back.origin).toBe(siteVariables.SITE_URL);
    const words = await textAt(visitor, back.pathname + back.search);
    expect(words).toContain("This is the card that is charged now: Mastercard ending in 4444.");
    expect(words).toContain("Card Mastercard ending in 4444 Works until March 31, 2041");
  },
);

testInProof(
  "where the portal's configuration does not allow a link, its first page opens",
  async () => {
    const visitor = await signedIn();
    const { customer } = await subscribed(visitor);
    const [configuration] = (await stripe.billingPortal.configurations.list()).data;
    await stripe.billingPortal.configurations.update(configuration?.id ?? "", {
      features: { payment_method_update: { enabled: false } },
    });
    const opened = await visitor.post(billing, { customer, flow: "card" });
    expect(opened.status).toBe(303);
    const page = await (await fetch(opened.headers.get("location") ?? "")).text();
    expect(page).toContain("Your plan and billing");
    expect(page).toContain(`href="${siteVariables.SITE_URL}${billing}"`);
  },
);

testInProof("somebody else's customer is never opened, whatever the link asks for", async () => {
  const { customer } = await subscribed(await signedIn());
  const stranger = await signedIn(other);
  for (const flow of ["card", "details", "", "subscription_cancel"]) {
    const response = await stranger.post(billing, { customer, flow, from: "billing" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/pricing"]);
  }
  const portalRequests = (await receivedRequests()).filter(({ path }) =>
    path.includes("billing_portal"),
  );
  expect(portalRequests).toEqual([]);
});

testInProof("a customer that was deleted at Stripe does not break the page", async () => {
  const visitor = await signedIn();
  const { customer } = await subscribed(visitor);
  await stripe.customers.del(customer);
  await settledStripeEvents();
  const response = await visitor.request(billing);
  expect(response.status).toBe(200);
  expect(textOfHtml(await response.text())).toContain("No invoices yet");
});

testInProof(
  "an upward change that waits for its payment says until when, and leads to it",
  async () => {
    const visitor = await signedIn();
    const { id, customer, subscription } = await subscribed(visitor);
    await stripeControl(`customers/${customer}/card`, { behaviour: "authenticating" });
    const item = subscription.items.data[0]?.id ?? "";
    const changed: Stripe.Subscription = await stripe.subscriptions.update(id, {
      items: [{ id: item, price: prices.pro }],
      proration_behavior: "always_invoice",
      payment_behavior: "pending_if_incomplete",
    });
    expect(changed.pending_update).not.toBeNull();
    await settledStripeEvents();
    const words = await textAt(visitor, billing);
    expect(words).toContain("The change of your plan waits for it until");
    expect(words).toContain("Confirm and pay");
    expect(await textAt(visitor, "/dashboard")).toContain(
      "A change of your plan waits for its payment until",
    );
  },
);

testInProof(
  "an open invoice for something else of the same account says nothing of the plan",
  async () => {
    const visitor = await signedIn();
    const { id, customer } = await subscribed(visitor);
    const { price } = await foreignProduct();
    const purchases = [{ email, customer, price, card: "failing" }];
    await stripeControl("purchases", { purchases });
    const [foreign] = (await stripe.subscriptions.list({ price })).data;
    await renew(foreign?.id ?? "");
    const words = await textAt(visitor, billing);
    expect(words).toContain("The payment of $1.00 failed");
    expect(words).toMatch(/Stripe tries again on [A-Z]\w+ \d+, \d+\. Pay now/);
    expect(words).not.toContain("your plan ends");
    expect(words).not.toContain("read-only");
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  },
);
