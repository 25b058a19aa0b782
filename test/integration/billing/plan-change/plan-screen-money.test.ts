import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { onlySubscription, planPage, press } from "../../../support/billing/plan-change.ts";
import { cards, payOnHostedPage, stripe } from "../../../support/billing/stripe-account.ts";
import { testInProof } from "../../../support/run/variants.ts";
import {
  resetFakes,
  settledStripeEvents,
  stripeControl,
} from "../../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../../support/site/own-site.ts";
import { signedIn } from "../../../support/site/visitor.ts";

let taxing: RunningWorker;

beforeAll(async () => {
  taxing = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    STRIPE_AUTOMATIC_TAX: "added",
  }));
});
afterAll(() => taxing?.[Symbol.asyncDispose]());
beforeEach(resetFakes);

async function withPlan(plan: "basic" | "pro", card: string = cards.good) {
  const visitor = await signedIn();
  const start = await visitor.post("/pricing", { plan });
  await payOnHostedPage(start.headers.get("location") ?? "", { card });
  await settledStripeEvents();
  return visitor;
}

testInProof(
  "of three at once the plan page says what three cost, now and after the change",
  async () => {
    const visitor = await withPlan("pro");
    const { id, items } = await onlySubscription();
    const [item] = items.data;
    await stripe.subscriptions.update(id, {
      items: [{ id: item?.id ?? "", quantity: 3 }],
      proration_behavior: "none",
    });
    const page = await planPage(visitor, "?to=basic");
    expect(page.words).toContain("You have Pro $2,999.97 per year (3 × $999.99)");
    expect(page.words).toContain("Then $329.97 per month (3 × $109.99).");
    const planned = await press(visitor, page, "change", { query: "?to=basic" });
    expect(planned.words).toContain("changes to Basic for $329.97 per month (3 × $109.99) on");
  },
);

testInProof(
  "a plan without tax stays so where tax is added by now, and a change of it says so",
  async () => {
    const visitor = await withPlan("pro");
    const taxedVisitor = visitor.twin(taxing.url);
    await stripe.prices
      .list()
      .then(({ data }) =>
        Promise.all(data.map(({ id }) => stripe.prices.update(id, { tax_behavior: "exclusive" }))),
      );
    const page = await planPage(taxedVisitor, "?to=basic");
    expect(page.words).toContain("Then $109.99 per month. No tax is added to your subscription.");
    expect((await planPage(visitor, "?to=basic")).words).not.toContain("No tax is added");
  },
);

test("a customer who cancels with an open invoice reads that it is still due", async () => {
  const visitor = await withPlan("basic", cards.failsAtRenewal);
  const { id } = await onlySubscription();
  await stripeControl(`subscriptions/${id}/renew`);
  await settledStripeEvents();
  const page = await planPage(visitor);
  expect(page.words).toMatch(/Basic then ends on .*\. It does not renew, but the open invoice is/);
  const cancelled = await press(visitor, page, "cancel");
  expect(cancelled.words).toMatch(/Done\. Basic ends on .* but the open invoice is still due\./);
  expect(cancelled.words).not.toContain("not charged again");
});

testInProof(
  "one person looks so often at their plan in a minute, from wherever they ask",
  async () => {
    const visitor = await withPlan("basic");
    let refused: Awaited<ReturnType<typeof planPage>> | undefined;
    // Up to twice the limit: a new minute may begin in between.
    for (let count = 0; count < 50 && !refused; count += 5) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => planPage(visitor.twin())));
      refused = answers.find(({ status }) => status === 429);
    }
    expect(refused?.words).toContain("Too many attempts. Please wait a minute and try again.");
  },
);
