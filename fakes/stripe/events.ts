import type Stripe from "stripe";
import { newId, now, onTheWire, type StripeState } from "./state.ts";

/** The API version that stripe-node 23.1 speaks. */
export const apiVersion = "2026-10-28.endive";

/** The events that the fake sends. */
type SentEvent =
  | Stripe.CheckoutSessionCompletedEvent
  | Stripe.CheckoutSessionExpiredEvent
  | Stripe.CustomerCreatedEvent
  | Stripe.CustomerUpdatedEvent
  | Stripe.CustomerDeletedEvent
  | Stripe.CustomerSubscriptionCreatedEvent
  | Stripe.CustomerSubscriptionUpdatedEvent
  | Stripe.CustomerSubscriptionDeletedEvent
  | Stripe.CustomerSubscriptionPendingUpdateAppliedEvent
  | Stripe.CustomerSubscriptionPendingUpdateExpiredEvent
  | Stripe.SubscriptionScheduleCanceledEvent
  | Stripe.SubscriptionScheduleCompletedEvent
  | Stripe.SubscriptionScheduleCreatedEvent
  | Stripe.SubscriptionScheduleReleasedEvent
  | Stripe.SubscriptionScheduleUpdatedEvent
  | Stripe.InvoiceCreatedEvent
  | Stripe.InvoiceFinalizedEvent
  | Stripe.InvoiceFinalizationFailedEvent
  | Stripe.InvoiceOverdueEvent
  | Stripe.InvoicePaidEvent
  | Stripe.InvoicePaymentSucceededEvent
  | Stripe.InvoicePaymentFailedEvent
  | Stripe.InvoicePaymentActionRequiredEvent
  | Stripe.InvoiceSentEvent
  | Stripe.InvoiceUpdatedEvent
  | Stripe.InvoiceVoidedEvent
  | Stripe.PaymentMethodAttachedEvent
  | Stripe.PaymentMethodDetachedEvent
  | Stripe.RefundCreatedEvent
  | Stripe.ChargeRefundedEvent
  | Stripe.ChargeDisputeCreatedEvent
  | Stripe.ChargeDisputeClosedEvent
  | Stripe.ProductCreatedEvent
  | Stripe.ProductUpdatedEvent
  | Stripe.PriceCreatedEvent
  | Stripe.PriceUpdatedEvent
  | Stripe.BillingPortalConfigurationCreatedEvent
  | Stripe.BillingPortalConfigurationUpdatedEvent
  | Stripe.BillingPortalSessionCreatedEvent;

type EventOfType<Type extends SentEvent["type"]> = Extract<SentEvent, { type: Type }>;
type ObjectOf<Type extends SentEvent["type"]> = EventOfType<Type>["data"]["object"];

/** The API request that caused an event; null when Stripe itself or a hosted page did. */
export type Cause = { id: string; idempotencyKey: string | null } | null;

/** Notes that something happened. The event keeps the object as it is now. */
export type RecordEvent = <Type extends SentEvent["type"]>(
  type: Type,
  object: ObjectOf<Type>,
  before?: ObjectOf<Type>,
) => void;

/** A recorder that writes into the state and hands every event on. */
export function eventRecorder(
  state: StripeState,
  cause: () => Cause,
  announce: (event: Stripe.Event) => void,
): RecordEvent {
  return (type, object, before) => {
    const previous = before ? changedFields(before, object) : undefined;
    const causedBy = cause();
    const event = onTheWire({
      id: newId("evt"),
      object: "event",
      api_version: apiVersion,
      created: now(),
      data: { object, ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 0,
      request: {
        id: causedBy?.id ?? null,
        idempotency_key: causedBy?.idempotencyKey ?? null,
      },
      type,
    }) as Stripe.Event;
    state.events[event.id] = event;
    announce(event);
  };
}

function changedFields(before: object, after: object): Record<string, unknown> {
  const current = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(current.get(field)),
    ),
  );
}
