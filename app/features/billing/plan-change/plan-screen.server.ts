import type Stripe from "stripe";
import { type OfferKey, offers, planNames } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { log } from "~/platform/log/log.server";
import { offersOf } from "../prices/prices";
import { exactAmount, perInterval } from "../prices/words";
import { readInvoicePayment } from "../stripe/invoice-payment.server";
import type { Holder } from "../subscriptions/customers.server";
import { pauseOf } from "../subscriptions/pause.server";
import { type PriceWords, priceWords } from "../subscriptions/price-words";
import { pricedTerms } from "../subscriptions/subscription-record.server";
import { orderLimit } from "../subscriptions/transfer-orders.server";
import { whatBlocks } from "./change-blocks";
import { pauseEnds } from "./pause/pause.server";
import type { PlanScreen, PlanView, PreviewView } from "./plan-screen";
import { type DuePreview, previewUpward } from "./preview.server";
import { type AtStripe, readStripePlans, type StripePlan } from "./stripe-plans.server";
import { describeRefusal, isRefusal } from "./stripe-refusals.server";
import { type Target, targetOf } from "./target.server";
import { changesFrom, directionOf, offerNamed, type Terms, termsOf } from "./terms";

/**
 * What /dashboard/plan shows: the plan that `subscription` in the query names, or the newest one, and a preview
 * of the change to the offer in `to`. Read from Stripe; throws when Stripe or the database does not answer.
 */
export async function planScreen(
  context: AppContext,
  holder: Holder,
  query: URLSearchParams,
): Promise<PlanScreen> {
  const at = await readStripePlans(context, holder);
  const requested = query.get("subscription");
  const plan = at.plans.find(({ subscription }) => subscription.id === requested) ?? at.plans[0];
  const several = at.plans.length > 1 ? at.plans : [];
  return {
    several: several.map((each) => ({
      subscription: each.subscription.id,
      name: planNames[each.terms.plan],
      price: currentPriceWords(each),
    })),
    plan: plan && (await planView(context, at, plan, offerNamed(query.get("to")))),
  };
}

async function planView(
  context: AppContext,
  { stripe }: AtStripe,
  plan: StripePlan,
  to: OfferKey | undefined,
): Promise<PlanView> {
  const { subscription, item, terms, planned, latestInvoice } = plan;
  const { cancel_at, cancel_at_period_end } = subscription;
  const payment =
    subscription.pending_update && latestInvoice
      ? await readInvoicePayment(stripe, latestInvoice.id)
      : undefined;
  const blocked = whatBlocks(plan);
  return {
    subscription: subscription.id,
    state: plan.state,
    name: planNames[terms.plan],
    price: currentPriceWords(plan),
    renewsAt: item.current_period_end,
    endsAt: cancel_at ?? (cancel_at_period_end ? item.current_period_end : undefined),
    planned: planned && {
      name: planned.terms ? planNames[planned.terms.plan] : "another plan",
      price:
        planned.terms && planned.amount !== null
          ? priceThen(context, plan, { ...planned.terms, amount: planned.amount }, planned.at)
          : undefined,
      at: planned.at,
    },
    pending:
      subscription.pending_update && latestInvoice
        ? {
            name: pendingName(context, subscription.pending_update, plan),
            amount: exactAmount(latestInvoice.amount_remaining, latestInvoice.currency),
            url: payment?.url,
            status: payment?.status,
            until: subscription.pending_update.expires_at,
          }
        : undefined,
    pause: pauseOf(subscription),
    pauseEnds: pauseEnds(plan),
    blocked,
    payAt:
      latestInvoice?.status === "open"
        ? (latestInvoice.hosted_invoice_url ?? undefined)
        : undefined,
    card: plan.card,
    dueAt: latestInvoice?.status === "open" ? (latestInvoice.due_date ?? undefined) : undefined,
    orderLimit:
      latestInvoice?.status === "open" || latestInvoice?.status === "draft"
        ? orderLimit(subscription)
        : undefined,
    offers: offersFor(context, plan, to),
    preview: to && (await previewView(context, stripe, plan, to)),
  };
}

/** The offer that the URL names if it is a change; otherwise the offers that `changesFrom` gives. */
function offersFor(
  context: AppContext,
  plan: StripePlan,
  to: OfferKey | undefined,
): PlanView["offers"] {
  const named = to ? [{ offer: to, direction: directionOf(plan.terms, termsOf(to)) }] : [];
  const pair = named.some(({ direction }) => direction !== "same")
    ? named
    : changesFrom(plan.terms, plan.bought);
  return pair.flatMap(({ offer, direction }) => {
    if (direction === "same") return [];
    const at = direction === "down" ? plan.item.current_period_end : undefined;
    const price = offerPrice(context, plan, offer, at);
    return [{ offer, direction, name: planNames[offers[offer].plan], price }];
  });
}

async function previewView(
  context: AppContext,
  stripe: Stripe,
  plan: StripePlan,
  offer: OfferKey,
): Promise<PreviewView | undefined> {
  const direction = directionOf(plan.terms, termsOf(offer));
  if (direction === "same") return;
  const blocked = whatBlocks(plan);
  if (blocked && !(blocked === "renewing" && direction === "down")) return;
  const target = await targetOf(context, stripe, plan, offer);
  if (!target) return { kind: "none", why: "not-offered" };
  const words = { offer, name: planNames[offers[offer].plan] };
  const price = (at: number) => offerPrice(context, plan, offer, at);
  if (direction === "down") {
    const isSmaller = offers[offer].plan !== plan.terms.plan;
    const { current_period_end: at } = plan.item;
    const { amount } = offers[offer];
    const note = noteOn(context, plan, false);
    return { kind: "down", ...words, price: price(at), note, amount, at, isSmaller };
  }
  const preview = await previewOrRefusal(stripe, plan, target);
  if (!preview) return { kind: "none", why: "not-accepted" };
  const { taxAdded, ...due } = preview;
  const note = noteOn(context, plan, taxAdded);
  return { kind: "up", ...words, price: price(due.renewsAt), ...due, note };
}

/** The preview of an upward change; undefined, and logged, where Stripe refuses it. */
async function previewOrRefusal(
  stripe: Stripe,
  plan: StripePlan,
  target: Target,
): Promise<DuePreview | undefined> {
  try {
    return await previewUpward(stripe, plan, target);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.error("The preview of a change was refused", describeRefusal(error));
  }
}

/** A sentence about tax on later payments. A subscription keeps the tax setting it began with: decision 0036. */
function noteOn(
  { configuration }: AppContext,
  { subscription, item }: StripePlan,
  taxAdded: boolean,
): string {
  if (taxAdded || subscription.automatic_tax.enabled) return "Tax is calculated for each invoice.";
  const isUntaxed = pricedTerms(subscription, item).tax === "none";
  return configuration.STRIPE_AUTOMATIC_TAX === "added" && isUntaxed
    ? "No tax is added to your subscription."
    : "";
}

function pendingName(
  { configuration }: AppContext,
  { subscription_items }: Stripe.Subscription.PendingUpdate,
  plan: StripePlan,
): string {
  const changed = subscription_items?.find(({ price }) => price.id !== plan.item.price.id);
  const { interval = "", interval_count = 1 } = changed?.price.recurring ?? {};
  const [offer] = changed ? offersOf(configuration, changed.price.id) : [];
  // A change upwards leads to the larger plan, or to a longer interval of the same plan.
  const name = planNames[offer ? offers[offer].plan : "pro"];
  if (name !== planNames[plan.terms.plan]) return name;
  return `${name}, paid ${perInterval(interval, interval_count)}`;
}

/** What a renewal costs now, in the same words as on the overview. */
function currentPriceWords({ subscription, item }: StripePlan): string {
  return inOneLine(priceWords(pricedTerms(subscription, item), Date.now()));
}

type Priced = Pick<Terms, "interval" | "intervalCount"> & { amount: number };

/**
 * What this subscription would cost at another price, with its quantity, its tax and the discounts that still
 * apply at the time `at` (seconds since 1970).
 */
function priceThen(
  { configuration }: AppContext,
  { subscription, item }: StripePlan,
  { amount, interval, intervalCount }: Priced,
  at = Date.now() / 1_000,
): string {
  const currentTerms = pricedTerms(subscription, item);
  const setting = configuration.STRIPE_AUTOMATIC_TAX;
  const row = {
    ...currentTerms,
    unit_amount: amount,
    quantity: item.quantity ?? 1,
    billing_interval: interval,
    interval_count: intervalCount,
    tax: subscription.automatic_tax.enabled && setting !== "off" ? setting : currentTerms.tax,
  };
  return inOneLine(priceWords(row, at * 1_000));
}

function offerPrice(context: AppContext, plan: StripePlan, offer: OfferKey, at?: number): string {
  return priceThen(context, plan, { ...termsOf(offer), amount: offers[offer].amount }, at);
}

function inOneLine({ price, details }: PriceWords): string {
  return details.length === 0 ? price : `${price} (${details.join(", ")})`;
}
