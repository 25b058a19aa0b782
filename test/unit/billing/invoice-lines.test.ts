import type Stripe from "stripe";
import { expect, test } from "vitest";
import { invoiceLine } from "~/features/billing/billing-page/invoice-lines.server";

const paid = {
  ...{ id: "in_1", number: "A-1", status: "paid", currency: "usd", created: 0 },
  ...{ total: 10_999, amount_due: 10_999 },
  ...{ pre_payment_credit_notes_amount: 0, post_payment_credit_notes_amount: 0 },
} as Stripe.Invoice;

const noteOf = (given: Partial<Stripe.Invoice>) =>
  invoiceLine({ ...paid, ...given }, new Map())[0]?.note;

test("a credit note is said of its invoice, and is no payment from credit", () => {
  expect(noteOf({})).toBeUndefined();
  expect(noteOf({ post_payment_credit_notes_amount: 2_000 })).toBe("credit note over $20.00");
  expect(noteOf({ pre_payment_credit_notes_amount: 2_000, amount_due: 8_999 })).toBe(
    "credit note over $20.00",
  );
  expect(noteOf({ pre_payment_credit_notes_amount: 2_000, amount_due: 7_999 })).toBe(
    "$10.00 paid from credit, credit note over $20.00",
  );
});
