import type Stripe from "stripe";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";

/** Queues the mail that tells the operator about a dispute. Throws when the database does not answer. */
export async function queueDisputeMail(
  configuration: Configuration,
  { id, payment_intent, charge, livemode }: Stripe.Dispute,
): Promise<void> {
  const payment = payment_intent ?? charge;
  const about = {
    dispute: id,
    payment: typeof payment === "string" ? payment : payment.id,
    live: livemode,
  };
  await serviceClient(configuration)
    .rpc("queue_dispute_mail", { dispute: id, about })
    .throwOnError();
}
