import type Stripe from "stripe";
import type { OfferKey } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { sha256Hex } from "~/http/hashes";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { claimGuestPurchasesOrThrow } from "../checkout/guest-purchases.server";
import { cardOf, defaultMethodOf } from "../prices/payment-methods";
import { offersOf } from "../prices/prices";
import { type Catalogue, itemWithPlan, readCatalogue } from "../prices/product-plans.server";
import type { Card } from "../prices/words";
import { isMissing, stripeClient } from "../stripe/stripe.server";
import { customersOf, type Holder } from "../subscriptions/customers.server";
import { isOpen } from "../subscriptions/subscription-words";
import type { Terms } from "./terms";

/** An open subscription to one of our plans, as Stripe has it at this moment. */
export type StripePlan = {
  subscription: Stripe.Subscription;
  /** The item of the subscription whose product is the plan. */
  item: Stripe.SubscriptionItem;
  customer: string;
  terms: Terms;
  /** The offer that was bought; undefined for a price that is not sold any more. */
  bought: OfferKey | undefined;
  schedule: Stripe.SubscriptionSchedule | undefined;
  planned: PlannedChange | undefined;
  latestInvoice: Stripe.Invoice | undefined;
  /** The card of the subscription, or else of its customer. */
  card: Card | undefined;
  /** Whether there is anything that Stripe would charge. */
  canPay: boolean;
  /** The payment method of the subscription alone, where its customer has none. */
  onlyMethod: string | undefined;
  /** A hash of everything that a preview or a decision depends on: another value means that something changed. */
  state: string;
};

/** A change that Stripe will make by itself. `terms` is undefined when it leads to none of our plans. */
export type PlannedChange = {
  /** Seconds since 1970. */
  at: number;
  priceId: string;
  terms: Terms | undefined;
  amount: number | null;
};

/** A workspace's open plans at Stripe, newest first, and the client they were read with. */
export type AtStripe = { stripe: Stripe; plans: StripePlan[] };

/** What a list of subscriptions must expand for `stripePlan`. */
const expanded = [
  "data.schedule",
  "data.latest_invoice",
  "data.default_payment_method",
  "data.customer.invoice_settings.default_payment_method",
  "data.discounts.source.coupon",
];

/**
 * Reads a workspace's open plans from Stripe, including those of guest purchases. It leaves out subscriptions to
 * other products of the same Stripe account, and customers that Stripe does not know. None for somebody who may not do
 * its billing. Throws when Stripe or the database does not answer.
 */
export async function readStripePlans(
  { configuration, caller }: Pick<AppContext, "configuration" | "caller">,
  holder: Holder,
): Promise<AtStripe> {
  const stripe = stripeClient(configuration);
  const database = serviceClient(configuration, caller);
  await claimGuestPurchasesOrThrow(database, holder.person);
  const customers = await customersOf(database, holder);
  const lists = await Promise.all(customers.map((id) => subscriptionsOf(stripe, id)));
  const open = lists.flat().filter(isOpen);
  const catalogue = await readCatalogue(stripe, configuration, open);
  const plans = await Promise.all(
    open.map((subscription) => stripePlan(configuration, subscription, catalogue)),
  );
  return {
    stripe,
    plans: plans
      .flatMap((plan) => plan ?? [])
      .toSorted((a, b) => b.subscription.created - a.subscription.created),
  };
}

/**
 * Waits before a plan is read again: 250 ms after the first round, and 250 ms longer after each further one.
 * Stripe does not report the end of another request, so we must read until we see it.
 */
export function pauseAfterRound(round: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 250 * round));
}

/** Reads a plan again; undefined when it is not open any more, or not one of our plans any more. */
export async function readAgain(
  configuration: Configuration,
  stripe: Stripe,
  id: string,
): Promise<StripePlan | undefined> {
  const expand = expanded.map((path) => path.replace("data.", ""));
  const subscription = await stripe.subscriptions.retrieve(id, { expand });
  if (!isOpen(subscription)) return;
  return stripePlan(
    configuration,
    subscription,
    await readCatalogue(stripe, configuration, [subscription]),
  );
}

async function subscriptionsOf(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  try {
    return await stripe.subscriptions
      .list({ customer, status: "all", limit: 100, expand: expanded })
      .autoPagingToArray({ limit: 1_000 });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function stripePlan(
  configuration: Configuration,
  subscription: Stripe.Subscription,
  catalogue: Catalogue,
): Promise<StripePlan | undefined> {
  const item = itemWithPlan(subscription.items.data, catalogue);
  const plan = item && catalogue.planOf(item.price);
  if (!item || !plan || plan === "none") return;
  const { customer, schedule, latest_invoice } = subscription;
  const attached =
    schedule && typeof schedule !== "string" && isUnderWay(schedule) ? schedule : undefined;
  const planned = attached && plannedChange(attached, item, catalogue);
  return {
    subscription,
    item,
    customer: typeof customer === "string" ? customer : customer.id,
    terms: { plan, ...rhythmOf(item.price) },
    bought: offersOf(configuration, item.price.id)[0],
    schedule: attached,
    planned,
    latestInvoice:
      latest_invoice && typeof latest_invoice !== "string" ? latest_invoice : undefined,
    card: cardOf(subscription.default_payment_method ?? defaultMethodOf(customer)),
    canPay: hasMethod(subscription),
    onlyMethod: defaultMethodOf(customer)
      ? undefined
      : (idOf(subscription.default_payment_method) ?? undefined),
    state: await stateOf(subscription, item, planned),
  };
}

function rhythmOf({ recurring }: Stripe.Price): Pick<Terms, "interval" | "intervalCount"> {
  return { interval: recurring?.interval ?? "once", intervalCount: recurring?.interval_count ?? 1 };
}

/** The change that the next phase of a schedule with another price brings; undefined when there is none. */
function plannedChange(
  { phases, current_phase }: Stripe.SubscriptionSchedule,
  { price: currentPrice }: Stripe.SubscriptionItem,
  catalogue: Catalogue,
): PlannedChange | undefined {
  const over = current_phase?.end_date ?? 0;
  const next = phases.find(
    ({ start_date, items }) =>
      start_date >= over && !items.some(({ price }) => idOf(price) === currentPrice.id),
  );
  const first = next?.items.at(0);
  if (!next || !first) return;
  const priceId = idOf(first.price) ?? "";
  const price = catalogue.priceOf(priceId);
  const plan = price ? catalogue.planOf(price) : "none";
  return {
    at: next.start_date,
    priceId,
    terms: price && plan !== "none" ? { plan, ...rhythmOf(price) } : undefined,
    amount: price?.unit_amount ?? null,
  };
}

/** Whether the subscription or its customer has a payment method that Stripe can charge. */
function hasMethod({
  customer,
  default_payment_method,
  default_source,
}: Stripe.Subscription): boolean {
  const source =
    typeof customer === "string" || customer.deleted ? undefined : customer.default_source;
  return Boolean(default_payment_method ?? default_source ?? defaultMethodOf(customer) ?? source);
}

function isUnderWay({ status }: Stripe.SubscriptionSchedule): boolean {
  return status === "active" || status === "not_started";
}

/**
 * A hash of the state that a person was shown. What they confirm is refused when the state has changed by then.
 * It is also part of idempotency keys, so that Stripe carries out one change from each state.
 */
async function stateOf(
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  planned: PlannedChange | undefined,
): Promise<string> {
  const { latest_invoice, pending_update } = subscription;
  const facts = [
    subscription.id,
    subscription.status,
    subscription.cancel_at,
    subscription.cancel_at_period_end,
    subscription.discounts.map(idOf),
    item.id,
    item.price.id,
    item.quantity,
    item.current_period_end,
    idOf(latest_invoice),
    pending_update?.expires_at,
    // A schedule without a planned change does not count: another request may be about to fill it.
    planned && [planned.at, planned.priceId],
    ...(subscription.pause_collection ? [subscription.pause_collection.resumes_at] : []),
  ];
  return sha256Hex(JSON.stringify(facts), 12);
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === "object" ? (reference?.id ?? null) : reference;
}
