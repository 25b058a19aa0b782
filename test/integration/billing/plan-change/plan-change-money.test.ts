import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { buy } from "../../../support/billing/hosted-pages.ts";
import {
  onlySubscription,
  paidInvoices,
  planPage,
  press,
} from "../../../support/billing/plan-change.ts";
import { prices, receivedWrites, stripe } from "../../../support/billing/stripe-account.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../../support/site/own-site.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";

let misconfigured: RunningWorker;

beforeAll(async () => {
  misconfigured = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    STRIPE_PRICE_PRO: prices.yearly,
    STRIPE_PRICE_YEARLY: prices.pro,
  }));
});
afterAll(() => misconfigured?.[Symbol.asyncDispose]());
beforeEach(resetFakes);

const toPro = "?to=pro";

async function withBasic(promotionCode?: string): Promise<Visitor> {
  const visitor = await signedIn();
  await buy(visitor, "basic", promotionCode);
  return visitor;
}

async function giveCredit(cents: number) {
  const { customer } = await onlySubscription();
  await stripe.customers.createBalanceTransaction(String(customer), {
    amount: -cents,
    currency: "usd",
  });
}

/** Confirms the change, and says what the page said is due and what the invoice then charged. */
async function change(visitor: Visitor) {
  const page = await planPage(visitor, toPro);
  const due = page.form("change").fields.amount;
  const changed = await press(visitor, page, "change", { query: toPro });
  expect(changed.words).toContain("You have Pro now.");
  const { latest_invoice } = await onlySubscription();
  return { words: page.words, button: page.form("change").button, due, invoice: latest_invoice };
}

testInProof(
  "a discount is in what is due today, and the next price says that it counts then too",
  async () => {
    const coupon = await stripe.coupons.create({ percent_off: 20, duration: "forever" });
    await stripe.promotionCodes.create({
      code: "LAUNCH20",
      promotion: { type: "coupon", coupon: coupon.id },
    });
    const visitor = await withBasic("LAUNCH20");
    expect(await paidInvoices()).toEqual([8_799]);
    const { words, due, invoice } = await change(visitor);
    expect(words).toMatch(/Pro \$999\.99 Discount -\$200\.00 Due today/);
    expect(words).toContain("You have Basic $87.99 per month (20% off $109.99)");
    expect(words).toContain("Then $799.99 per year (20% off $999.99), next on");
    expect(invoice.amount_paid).toBe(Number(due));
    expect(Number(due)).toBeLessThanOrEqual(79_999);
  },
);

testInProof("a credit balance pays first, and the page says how much of it", async () => {
  const visitor = await withBasic();
  await giveCredit(50_000);
  const { words, due, invoice } = await change(visitor);
  expect(words).toContain("Paid from your credit balance -$500.00");
  expect(Number(due)).toBeLessThan(50_000);
  expect(invoice.amount_paid).toBe(Number(due));
});

testInProof(
  "where the credit pays all of it, the button says so and no card is charged",
  async () => {
    const visitor = await withBasic();
    await giveCredit(200_000);
    const { words, button, invoice } = await change(visitor);
    expect(words).toContain("Due today $0.00");
    expect(button).toBe("Change to Pro now");
    expect(invoice.amount_paid).toBe(0);
  },
);

test("a price that is not what we say changes nobody", async () => {
  const customerVisitor = await withBasic();
  const visitor = customerVisitor.twin(misconfigured.url);
  const form = (await planPage(customerVisitor, toPro)).form("change").fields;
  const page = await planPage(visitor, toPro);
  expect(page.hasForm("change")).toBe(false);
  expect(page.words).toContain(
    "This price is being updated, so the change cannot be made right now.",
  );
  const answer = await visitor.post(`/dashboard/plan${toPro}`, form);
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("Nothing was changed and nothing was charged.");
  const writes = (await receivedWrites()).map(({ path }) => path);
  expect(writes.filter((path) => path.startsWith("/v1/subscription"))).toEqual([]);
});

testInProof(
  "the page of the card leads back to the change that somebody was about to make",
  async () => {
    const visitor = await withBasic();
    const { customer } = await onlySubscription();
    const page = await planPage(visitor, toPro);
    const fields = { ...page.form("change").fields, intent: "card" };
    const answer = await visitor.post(`/dashboard/plan${toPro}`, fields);
    expect(answer.status).toBe(303);
    const [opened] = (await receivedWrites()).filter(({ path }) => path.includes("billing_portal"));
    expect(opened?.params).toMatchObject({
      customer,
      flow_data: { type: "payment_method_update" },
      return_url: `${visitor.siteUrl}/dashboard/plan?to=pro`,
    });
  },
);
