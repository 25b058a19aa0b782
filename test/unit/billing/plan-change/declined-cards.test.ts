import { expect, test } from "vitest";
import { sentenceOf } from "~/features/billing/plan-change/outcome";
import { declineReason } from "~/features/billing/plan-change/stripe-refusals.server";

const plain = "Your card was declined.";

test.each([
  [{ code: "card_declined", decline_code: "generic_decline", message: plain }, ""],
  [{ code: "card_declined", decline_code: "do_not_honor", message: plain }, ""],
  [{ code: "card_declined", message: plain }, ""],
  // Whatever Stripe's sentence becomes, it is not repeated.
  [{ code: "card_declined", decline_code: "generic_decline", message: "Declined!" }, ""],
  [
    {
      code: "card_declined",
      decline_code: "insufficient_funds",
      message: "Your card has insufficient funds.",
    },
    " Your card has insufficient funds.",
  ],
  [{ code: "expired_card", message: "Your card has expired." }, " Your card has expired."],
] as const)(
  "a card that is declined with %j is told so once, with what is known",
  (error, reason) => {
    const card = { brand: "visa", last4: "0341" };
    expect(
      sentenceOf({ kind: "refused", why: "declined", card, reason: declineReason(error) }),
    ).toBe(
      `Your Visa ending in 0341 was declined.${reason} Nothing was charged, and your plan is as it was.`,
    );
  },
);
