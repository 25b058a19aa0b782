import { randomBytes } from "node:crypto";
import type Stripe from "stripe";

export { now } from "./clock.ts";

/** What an invoice charges, or gives back, for one item of a subscription. */
export type LineTerms = {
  item: Stripe.SubscriptionItem;
  /** In the smallest unit; negative for time that was paid and is not used. */
  amount: number;
  description: string;
  period: { start: number; end: number };
  proration: boolean;
  /** The invoice lines that a credit gives back. */
  credits: { invoice: string; invoice_line_items: string[] } | null;
};

/**
 * How a card answers when it is charged without its owner. "authenticating" asks the owner to confirm each payment.
 */
export type CardBehaviour = (typeof cardBehaviours)[number];
export const cardBehaviours = ["good", "failing", "authenticating"] as const;

/** One try at handing an event to a webhook endpoint. */
export type DeliveryAttempt = { at: number; status: number | null; error: string | null };

/** The delivery of an event to one webhook endpoint. */
export type Delivery = {
  event: string;
  endpoint: string;
  state: "pending" | "delivered" | "failed";
  attempts: DeliveryAttempt[];
};

/** What a checkout session must remember that Stripe does not show on the session. */
export type CheckoutOrder = {
  lineItems: Stripe.LineItem[];
  subscriptionMetadata: Stripe.Metadata;
  subscriptionDescription: string | null;
  /** Whether the address and the name that are typed on the page are saved on an existing customer. */
  customerUpdate?: { address?: "auto" | "never" | undefined; name?: "auto" | "never" | undefined };
};

/** The answer kept under an idempotency key, and what it was given for. */
export type StoredAnswer = {
  fingerprint: string;
  path?: string;
  requestId: string;
  status: number;
  body: string;
  createdAt: number;
};

/** Everything the fake knows. Objects are kept as they travel: unexpanded and JSON only. */
export type StripeState = {
  customers: Record<string, Stripe.Customer | Stripe.DeletedCustomer>;
  products: Record<string, Stripe.Product>;
  prices: Record<string, Stripe.Price>;
  paymentMethods: Record<string, Stripe.PaymentMethod>;
  cardBehaviours: Record<string, CardBehaviour>;
  checkoutSessions: Record<string, Stripe.Checkout.Session>;
  checkoutOrders: Record<string, CheckoutOrder>;
  subscriptions: Record<string, Stripe.Subscription>;
  schedules: Record<string, Stripe.SubscriptionSchedule>;
  invoices: Record<string, Stripe.Invoice>;
  /** By subscription: prorations that wait for the next invoice. */
  pendingLines: Record<string, LineTerms[]>;
  coupons: Record<string, Stripe.Coupon>;
  promotionCodes: Record<string, Stripe.PromotionCode>;
  discounts: Record<string, Stripe.Discount>;
  taxIds: Record<string, Stripe.TaxId>;
  balanceTransactions: Record<string, Stripe.CustomerBalanceTransaction>;
  invoicePayments: Record<string, Stripe.InvoicePayment>;
  paymentIntents: Record<string, Stripe.PaymentIntent>;
  charges: Record<string, Stripe.Charge>;
  refunds: Record<string, Stripe.Refund>;
  disputes: Record<string, Stripe.Dispute>;
  portalSessions: Record<string, Stripe.BillingPortal.Session>;
  portalConfigurations: Record<string, Stripe.BillingPortal.Configuration>;
  webhookEndpoints: Record<string, Stripe.WebhookEndpoint>;
  webhookSecrets: Record<string, string>;
  events: Record<string, Stripe.Event>;
  deliveries: Delivery[];
  deliveryPaused: boolean;
  /** What becomes of a subscription whose failed renewal is given up. */
  afterRetries: "cancel" | "unpaid" | "past_due";
  keptAnswers: Record<string, StoredAnswer>;
  /** How many seconds the account's time is ahead of the real one. */
  clockAhead: number;
};

/** A state with nothing in it. */
export function emptyState(): StripeState {
  return {
    customers: {},
    products: {},
    prices: {},
    paymentMethods: {},
    cardBehaviours: {},
    checkoutSessions: {},
    checkoutOrders: {},
    subscriptions: {},
    schedules: {},
    invoices: {},
    pendingLines: {},
    coupons: {},
    promotionCodes: {},
    discounts: {},
    taxIds: {},
    balanceTransactions: {},
    invoicePayments: {},
    paymentIntents: {},
    charges: {},
    refunds: {},
    disputes: {},
    portalSessions: {},
    portalConfigurations: {},
    webhookEndpoints: {},
    webhookSecrets: {},
    events: {},
    deliveries: [],
    deliveryPaused: false,
    afterRetries: "cancel",
    keptAnswers: {},
    clockAhead: 0,
  };
}

/**
 * Makes a resource what it is on the wire: decimals become strings, absent fields disappear,
 * and nothing is shared with the original.
 */
export function onTheWire<Resource>(resource: Resource): Resource {
  return JSON.parse(JSON.stringify(resource));
}

/** An id in Stripe's form: a prefix, an underscore, and letters and digits. */
export function newId(prefix: string, length = 24): string {
  const letters = randomBytes(length * 2)
    .toString("base64")
    .replace(/[^A-Za-z0-9]/g, "");
  return `${prefix}_${letters.slice(0, length)}`;
}

/** The id in a field that holds an id or, in Stripe's types, the expanded object. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}
