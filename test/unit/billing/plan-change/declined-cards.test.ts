import { expect, test } from "vitest";
import { sentenceOf } from "~/features/billing/plan-change/outcome";
import { declineReason } from "~/features/billing/plan-change/stripe-refusals.server";

const unconfirmed = " Your bank asks you to confirm the payment, and that was not done.";
/** What Stripe says of a payment that the bank wants confirmed. */
const message = "Your card was declined. This transaction requires authentication.";

test.each([
  [{ code: "card_declined", decline_code: "generic_decline" }, ""],
  [{ code: "card_declined", decline_code: "do_not_honor" }, ""],
  [{ code: "card_declined" }, ""],
  [{ code: "a_code_of_tomorrow", message: "Your card was declined." }, ""],
  [{ code: "authentication_required", message }, unconfirmed],
  [{ code: "card_declined", decline_code: "authentication_required", message }, unconfirmed],
  [
    { code: "card_declined", decline_code: "insufficient_funds" },
    " Your card has insufficient funds.",
  ],
  [{ code: "expired_card", decline_code: "expired_card" }, " Your card has expired."],
] as const)(
  "a card that is declined with %j is named once, with the reason that is known",
  (error, reason) => {
    const card = { brand: "visa", last4: "0341" };
    expect(
      sentenceOf({ kind: "refused", why: "declined", card, reason: declineReason(error) }),
    ).toBe(
      `Your Visa ending in 0341 was declined.${reason} Nothing was charged, and your plan is as it was.`,
    );
  },
);
