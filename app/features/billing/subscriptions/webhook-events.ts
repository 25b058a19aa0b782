import type Stripe from "stripe";

/**
 * The event types that can change our records. The webhook handles these, and `npm run stripe:setup` registers
 * the webhook endpoint for exactly these.
 */
export const handledEventTypes = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.subscription.pending_update_applied",
  "customer.subscription.pending_update_expired",
  "subscription_schedule.created",
  "subscription_schedule.updated",
  "subscription_schedule.released",
  "subscription_schedule.completed",
  "subscription_schedule.canceled",
  "subscription_schedule.aborted",
  "invoice.paid",
  "invoice.payment_succeeded",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.marked_uncollectible",
  "invoice.voided",
  "invoice.finalization_failed",
  "customer.updated",
  "customer.deleted",
  "customer.discount.created",
  "customer.discount.updated",
  "customer.discount.deleted",
  "payment_method.attached",
  "payment_method.updated",
  "payment_method.automatically_updated",
  "payment_method.detached",
  "charge.dispute.created",
  "charge.dispute.closed",
  "radar.early_fraud_warning.created",
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[];

type HandledEventType = (typeof handledEventTypes)[number];
export type HandledEvent = Extract<Stripe.Event, { type: HandledEventType }>;

/** Whether we handle events of this type. An operator may have registered further types at Stripe. */
export function isHandled(event: Stripe.Event): event is HandledEvent {
  return handledEventTypes.some((type) => type === event.type);
}
