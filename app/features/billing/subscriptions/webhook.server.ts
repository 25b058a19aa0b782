import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { readBody } from "~/http/body.server";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { queueOperatorMail } from "../mails/operator-mail.server";
import { savePurchaseOrder } from "../stripe/purchase-order.server";
import { stripeClient } from "../stripe/stripe.server";
import { resolveSecondPlans } from "./second-plan.server";
import { timestamp } from "./subscription-record.server";
import { syncSubscription } from "./sync-subscription.server";
import { type HandledEvent, isHandled } from "./webhook-events";

const largestEvent = 512 * 1024;
const toleranceSeconds = 300;
/** What Stripe reports of a plan that begins to run. */
const beginsPlan: ReadonlySet<Stripe.Event["type"]> = new Set([
  "customer.subscription.created",
  "invoice.paid",
  "checkout.session.completed",
]);

/**
 * Handles one delivery from Stripe. Its signature authenticates it. The payload only says which customer to sync,
 * or which dispute to report to the operator, so deliveries may be repeated, late, simultaneous or out of order.
 *
 * Status 200: handled, handled before, of a type or an account we ignore, or about a customer that Stripe does not
 * know. 400: not signed by Stripe, too old, or of a time to come. 413: too large. 500: failed, and Stripe sends it again.
 */
export async function handleWebhook(request: Request, context: AppContext): Promise<Response> {
  const { configuration } = context;
  const body = await readBody(request, largestEvent);
  if (body === undefined) return answer(413, "Body too large");
  const event = await verify(body, request.headers.get("stripe-signature"), context);
  if (!event) return answer(400, "Invalid signature");
  const isOurs = isOfOurAccount(event, configuration);
  const subject = isOurs && isHandled(event) ? subjectOf(event) : undefined;
  if (!subject) return answer(200, "Ignored");

  const database = serviceClient(configuration);
  try {
    const { data: handled } = await database
      .from("stripe_events")
      .select("handled_at")
      .eq("id", event.id)
      .maybeSingle()
      .throwOnError();
    if (handled?.handled_at) return answer(200, "Already handled");
    const record = { id: event.id, type: event.type, created_at: timestamp(event.created) };
    await database
      .from("stripe_events")
      .upsert(record, { onConflict: "id", ignoreDuplicates: true })
      .throwOnError();
    if ("dispute" in subject) await queueDisputeMail(configuration, subject.dispute);
    else if ("closed" in subject) await queueClosedDispute(database, subject.closed);
    else if ("warning" in subject) await queueFraudWarning(database, subject.warning);
    else if ("unsent" in subject) await queueUnsent(database, subject.unsent);
    else {
      await readAgain(configuration, subject.customer, event);
      if (beginsPlan.has(event.type)) await resolveSecondPlans(configuration, subject.customer);
      if (event.type === "checkout.session.completed") {
        const stripe = stripeClient(configuration);
        const { id } = event.data.object;
        // Read again: the event may be old.
        await savePurchaseOrder(stripe, await stripe.checkout.sessions.retrieve(id));
      }
    }
    await database
      .from("stripe_events")
      .update({ handled_at: new Date().toISOString() })
      .eq("id", event.id)
      .throwOnError();
    return answer(200, "Handled");
  } catch (error) {
    log.error("A Stripe event was not handled", {
      eventId: event.id,
      eventType: event.type,
      ...describeError(error),
    });
    return answer(500, "Not handled");
  }
}

/**
 * Syncs the customer of an event. A customer that Stripe does not know is only logged: if we answered with an
 * error, Stripe would repeat the event in vain.
 */
async function readAgain(
  configuration: Configuration,
  customer: string,
  event: Stripe.Event,
): Promise<void> {
  if ((await syncSubscription(configuration, customer)) !== "unknown") return;
  log.warn("Stripe does not know the customer of an event", {
    eventId: event.id,
    eventType: event.type,
  });
}

/** Whether an event is of our own account, and of the mode that our key is of. */
function isOfOurAccount(
  { account, livemode }: Stripe.Event,
  { STRIPE_SECRET_KEY }: Configuration,
): boolean {
  const isLive = /^(sk|rk)_live_/.test(STRIPE_SECRET_KEY);
  return account === undefined && (livemode === undefined || livemode === isLive);
}

/** Whether a signature names a time ahead of ours by more than the tolerance, which Stripe's library lets through. */
function isSignedAhead(signature: string | null): boolean {
  const time = Number(/(?:^|,)t=(\d+)/.exec(signature ?? "")?.[1] ?? 0);
  return time > Date.now() / 1_000 + toleranceSeconds;
}

async function verify(body: string, signature: string | null, context: AppContext) {
  const { configuration } = context;
  try {
    if (isSignedAhead(signature)) throw new Error("The signature is of a time to come");
    return await stripeClient(configuration).webhooks.constructEventAsync(
      body,
      signature ?? "",
      configuration.STRIPE_WEBHOOK_SECRET,
      toleranceSeconds,
      Stripe.createSubtleCryptoProvider(),
    );
  } catch (error) {
    log.warn("A webhook was refused", describeError(error));
  }
}

type Subject =
  | { customer: string }
  | { dispute: Stripe.Dispute }
  | { closed: Stripe.Dispute }
  | { warning: Stripe.Radar.EarlyFraudWarning }
  | { unsent: Stripe.Invoice };

/** What an event is about. A type in `handledEventTypes` without a case here does not compile. */
function subjectOf(event: HandledEvent): Subject | undefined {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.async_payment_failed":
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
    case "customer.subscription.pending_update_applied":
    case "customer.subscription.pending_update_expired":
    case "subscription_schedule.created":
    case "subscription_schedule.updated":
    case "subscription_schedule.released":
    case "subscription_schedule.completed":
    case "subscription_schedule.canceled":
    case "subscription_schedule.aborted":
    case "invoice.paid":
    case "invoice.payment_succeeded":
    case "invoice.payment_failed":
    case "invoice.payment_action_required":
    case "invoice.marked_uncollectible":
    case "invoice.voided":
    case "customer.discount.created":
    case "customer.discount.updated":
    case "customer.discount.deleted":
    case "payment_method.attached":
    case "payment_method.updated":
    case "payment_method.automatically_updated":
      return customerOf(event.data.object.customer);
    case "payment_method.detached":
      // A detached payment method has no customer any more; the event names the previous one.
      return customerOf(event.data.previous_attributes?.customer ?? null);
    case "customer.updated":
    case "customer.deleted":
      return { customer: event.data.object.id };
    case "charge.dispute.created":
      return { dispute: event.data.object };
    case "charge.dispute.closed":
      return { closed: event.data.object };
    case "radar.early_fraud_warning.created":
      return { warning: event.data.object };
    case "invoice.finalization_failed":
      return { unsent: event.data.object };
    default:
      event satisfies never;
  }
}

function customerOf(customer: string | { id: string } | null): Subject | undefined {
  const id = typeof customer === "string" ? customer : customer?.id;
  return id === undefined ? undefined : { customer: id };
}

function answer(status: number, outcome: string): Response {
  return Response.json({ outcome }, { status, headers: { "cache-control": "no-store" } });
}

/** Queues the mail to the operator about how a dispute ended. */
function queueClosedDispute(
  database: ServiceClient,
  { id, status, livemode, ...of }: Stripe.Dispute,
): Promise<void> {
  const data = { dispute: id, status, payment: paymentOf(of), live: livemode };
  return queueOperatorMail(database, `dispute-closed:${id}`, { kind: "dispute-closed", data });
}

/** Queues the mail to the operator that a bank expects a dispute. */
function queueFraudWarning(
  database: ServiceClient,
  { id, livemode, ...of }: Stripe.Radar.EarlyFraudWarning,
): Promise<void> {
  const data = { payment: paymentOf(of), live: livemode };
  return queueOperatorMail(database, `fraud-warning:${id}`, { kind: "fraud-warning", data });
}

/** Queues the mail to the operator about an invoice that Stripe could not finalize: nobody gets it. */
function queueUnsent(database: ServiceClient, { id, livemode }: Stripe.Invoice): Promise<void> {
  const data = { invoice: id, live: livemode };
  return queueOperatorMail(database, `unsent:${id}`, { kind: "unsent", data });
}

function paymentOf({
  payment_intent,
  charge,
}: {
  payment_intent?: string | { id: string } | null;
  charge: string | { id: string };
}): string {
  const payment = payment_intent ?? charge;
  return typeof payment === "string" ? payment : payment.id;
}

/** Queues the mail to the operator about a dispute. Throws when the database does not answer. */
async function queueDisputeMail(
  configuration: Configuration,
  { id, livemode, ...of }: Stripe.Dispute,
): Promise<void> {
  const about = { dispute: id, payment: paymentOf(of), live: livemode };
  await serviceClient(configuration)
    .rpc("queue_dispute_mail", { dispute: id, about })
    .throwOnError();
}
