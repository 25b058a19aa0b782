import { beforeEach, expect, test } from "vitest";
import { buyAtStripe, receivedRequests } from "../../../support/billing/stripe-account.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { textAt } from "../../../support/site/page-text.ts";
import { Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

const specified = [
  "Payment Successful!",
  "Thank you for your purchase. Your subscription has been activated.",
  "Redirecting to dashboard in 5 seconds...",
];
const notLookedUp = "No payment was looked up on this page";

test.each(["/success", "/success?session_id="])(
  "%s shows the specified words, and says that they are no receipt",
  async (path) => {
    const words = await textAt(new Visitor(), path);
    for (const each of specified) expect(words).toContain(each);
    expect(words).toContain(`${notLookedUp}: its address names none.`);
    expect(words).toContain("Your dashboard shows whether you have a plan.");
    expect(await receivedRequests()).toEqual([]);
  },
);

test("with the session of a purchase the same words are what Stripe says", async () => {
  const { session } = await buyAtStripe();
  const words = await textAt(new Visitor(), `/success?session_id=${session}`);
  for (const each of specified) expect(words).toContain(each);
  expect(words).not.toContain(notLookedUp);
});
