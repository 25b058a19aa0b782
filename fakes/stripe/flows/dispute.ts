import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { newId, now, onTheWire } from "../state.ts";
import { lastCharge } from "./refund.ts";
import type { NotPossible } from "./time.ts";

const daysToAnswer = 9;

/** The bank takes the last payment of a subscription back for a customer who says it was not theirs. */
export function dispute(
  account: Account,
  subscription: Stripe.Subscription,
): Stripe.Dispute | NotPossible {
  const charge = lastCharge(account, subscription.id);
  if (!charge) return { notPossible: "Nothing was paid for this subscription." };
  if (charge.disputed) return { notPossible: "This payment is disputed already." };
  charge.disputed = true;
  const made = makeDispute(charge);
  account.state.disputes[made.id] = made;
  account.record("charge.dispute.created", made);
  return made;
}

/** Closes a dispute. If it is won, the money comes back. */
export function closeDispute(
  account: Account,
  made: Stripe.Dispute,
  status: "won" | "lost",
): NotPossible | undefined {
  if (made.status === "won" || made.status === "lost")
    return { notPossible: "This dispute is closed." };
  const before = onTheWire(made);
  made.status = status;
  account.record("charge.dispute.closed", made, before);
  return undefined;
}

function makeDispute(charge: Stripe.Charge): Stripe.Dispute {
  const created = now();
  return onTheWire<Stripe.Dispute>({
    id: newId("du"),
    object: "dispute",
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: charge.receipt_email,
      customer_name: charge.billing_details.name,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    evidence_details: {
      due_by: created + daysToAnswer * 24 * 60 * 60,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "manual",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: "needs_response",
  });
}
