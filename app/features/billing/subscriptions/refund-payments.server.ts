import Stripe from "stripe";
import { describeError, log } from "~/platform/log/log.server";
import { idempotencyKey } from "../stripe/idempotency-key";

/**
 * Gives back everything that was paid for a subscription, and counts the payments. `why` begins the idempotency keys.
 * Throws when Stripe does not answer.
 */
export async function refundPayments(
  stripe: Stripe,
  subscription: string,
  why: "late" | "second",
): Promise<{ refunded: number; refused: number }> {
  const outcomes = [];
  for (const payment of await paymentsFor(stripe, subscription))
    outcomes.push(await giveBack(stripe, payment, why));
  const refused = outcomes.filter((outcome) => outcome === "refused").length;
  return { refunded: outcomes.length - refused, refused };
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

async function giveBack(
  stripe: Stripe,
  payment: string,
  why: "late" | "second",
): Promise<"refunded" | "refused"> {
  try {
    await stripe.refunds.create(
      { payment_intent: payment },
      { idempotencyKey: idempotencyKey(`${why}-${payment}`) },
    );
    return "refunded";
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    if (error.code === "charge_already_refunded") return "refunded";
    log.error("Stripe refused a refund", { payment, ...describeError(error) });
    return "refused";
  }
}
