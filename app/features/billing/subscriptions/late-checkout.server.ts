import Stripe from "stripe";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { idempotencyKey } from "../stripe/idempotency-key";
import { stripeClient } from "../stripe/stripe.server";

/**
 * Deleting an account ends what runs and then closes its customers. A subscription that was made while that
 * happened was paid by nobody who could use it; so was one that was made later.
 */
const deletionMayLastMs = 10 * 60 * 1_000;

/**
 * Gives back what was paid for the subscriptions of a closed customer that began after their account was
 * deleted. Called before they are ended, because an ended one is not looked at again. Safe to repeat and to
 * race: Stripe gives a payment back once. A refund that Stripe refuses is told in the log, for the operator.
 * Throws when Stripe does not answer.
 */
export async function refundLateCheckouts(
  configuration: Configuration,
  closedAt: string,
  running: readonly Stripe.Subscription[],
): Promise<void> {
  const from = Date.parse(closedAt) - deletionMayLastMs;
  const stripe = stripeClient(configuration);
  for (const { id, created, customer } of running) {
    if (created * 1_000 < from) continue;
    const payments = await paymentsFor(stripe, id);
    const outcomes = [];
    for (const payment of payments) outcomes.push(await giveBack(stripe, payment));
    const refused = outcomes.filter((outcome) => outcome === "refused").length;
    const told = {
      customer: typeof customer === "string" ? customer : customer.id,
      subscription: id,
      refunded: outcomes.length - refused,
    };
    if (refused > 0) log.error("A late payment could not be refunded", { ...told, refused });
    else log.warn("A checkout was paid after its account was deleted", told);
  }
}

async function paymentsFor(stripe: Stripe, subscription: string): Promise<string[]> {
  const { data } = await stripe.invoices.list({
    subscription,
    status: "paid",
    limit: 100,
    expand: ["data.payments"],
  });
  return data.flatMap(({ payments }) =>
    (payments?.data ?? []).flatMap(({ status, payment: { payment_intent: intent } }) => {
      if (status !== "paid" || !intent) return [];
      return typeof intent === "string" ? intent : intent.id;
    }),
  );
}

async function giveBack(stripe: Stripe, payment: string): Promise<"refunded" | "refused"> {
  try {
    await stripe.refunds.create(
      { payment_intent: payment },
      { idempotencyKey: idempotencyKey(`late-${payment}`) },
    );
    return "refunded";
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    if (error.code === "charge_already_refunded") return "refunded";
    log.error("Stripe refused a refund", { payment, ...describeError(error) });
    return "refused";
  }
}
