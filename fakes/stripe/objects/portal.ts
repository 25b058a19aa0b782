import type Stripe from "stripe";
import { newId, now, onTheWire } from "../state.ts";

/** A billing portal configuration with everything allowed that the local portal can do. */
export function makePortalConfiguration(
  given: Partial<Stripe.BillingPortal.Configuration> = {},
): Stripe.BillingPortal.Configuration {
  const created = now();
  return onTheWire<Stripe.BillingPortal.Configuration>({
    id: newId("bpc"),
    object: "billing_portal.configuration",
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created,
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: ["address", "name", "tax_id"], enabled: true },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: true,
        mode: "at_period_end",
        proration_behavior: "none",
      },
      subscription_pause: {
        duration: { interval_options: [], type: "indefinite" },
        enabled: false,
      },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        products: null,
        proration_behavior: "none",
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: "end_trial",
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: created,
    ...given,
  });
}

/** A portal session for one customer. */
export function makePortalSession(
  baseUrl: string,
  given: Pick<Stripe.BillingPortal.Session, "configuration" | "customer" | "return_url" | "flow">,
): Stripe.BillingPortal.Session {
  const id = newId("bps");
  return onTheWire<Stripe.BillingPortal.Session>({
    id,
    object: "billing_portal.session",
    created: now(),
    customer_account: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    url: `${baseUrl}/p/session/${id}`,
    ...given,
  });
}
