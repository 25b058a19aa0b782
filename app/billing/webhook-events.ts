import type Stripe from "stripe";

/**
 * The event types that can change what we keep. The webhook handles these, and `npm run stripe:setup`
 * asks Stripe for these and no others.
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
  "invoice.paid",
  "invoice.payment_succeeded",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.marked_uncollectible",
  "invoice.voided",
  "customer.updated",
  "customer.deleted",
  "charge.dispute.created",
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[];

type HandledEventType = (typeof handledEventTypes)[number];
export type HandledEvent = Extract<Stripe.Event, { type: HandledEventType }>;

/** Whether an event is of a type that we handle; Stripe may send others. */
export function isHandled(event: Stripe.Event): event is HandledEvent {
  return handledEventTypes.some((type) => type === event.type);
}
