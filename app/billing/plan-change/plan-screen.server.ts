import type Stripe from "stripe";
import { type OfferKey, offers } from "~/content/plans";
import type { RequestContext } from "~/request/request-context";
import type { AccountHolder } from "../customers.server";
import { whatBlocks } from "./change-blocks";
import { paymentOf } from "./change-now.server";
import { type AtStripe, type OwnPlan, readOwnPlans } from "./own-plans.server";
import type { PlanScreen, ShownPlan, ShownPreview } from "./plan-screen";
import { previewUpward } from "./preview.server";
import { targetOf } from "./target.server";
import { changesFrom, directionOf, offerNamed, planTitle, termsOf } from "./terms";
import { exactAmount, perInterval } from "./words";

/**
 * What a person has and what a change to the offer in `to` means, as Stripe says now. Throws when Stripe
 * or the database does not answer.
 */
export async function planScreen(
  asked: RequestContext,
  holder: AccountHolder,
  query: URLSearchParams,
): Promise<PlanScreen> {
  const at = await readOwnPlans(asked.configuration, holder);
  const wanted = query.get("subscription");
  const plan = at.plans.find(({ subscription }) => subscription.id === wanted) ?? at.plans[0];
  const several = at.plans.length > 1 ? at.plans : [];
  return {
    several: several.map((each) => ({
      subscription: each.subscription.id,
      name: planTitle(each.terms.plan),
      price: priceOf(each.item.price),
    })),
    plan: plan && (await shownPlan(asked, at, plan, offerNamed(query.get("to")))),
  };
}

async function shownPlan(
  asked: RequestContext,
  { stripe }: AtStripe,
  plan: OwnPlan,
  to: OfferKey | undefined,
): Promise<ShownPlan> {
  const { subscription, item, terms, planned, latestInvoice } = plan;
  const { cancel_at, cancel_at_period_end } = subscription;
  const payment =
    subscription.pending_update && latestInvoice
      ? await paymentOf(stripe, latestInvoice.id)
      : undefined;
  const blocked = whatBlocks(plan);
  return {
    subscription: subscription.id,
    state: plan.state,
    name: planTitle(terms.plan),
    price: priceOf(item.price),
    renewsAt: item.current_period_end,
    endsAt: cancel_at ?? (cancel_at_period_end ? item.current_period_end : undefined),
    planned: planned && {
      name: planned.terms ? planTitle(planned.terms.plan) : "another plan",
      price:
        planned.terms && planned.amount !== null
          ? amountPer(planned.amount, subscription.currency, planned.terms)
          : undefined,
      at: planned.at,
    },
    pending:
      subscription.pending_update && latestInvoice
        ? {
            name: pendingName(subscription.pending_update, plan),
            amount: exactAmount(latestInvoice.amount_remaining, latestInvoice.currency),
            url: payment?.url,
            until: subscription.pending_update.expires_at,
          }
        : undefined,
    blocked,
    payAt:
      latestInvoice?.status === "open"
        ? (latestInvoice.hosted_invoice_url ?? undefined)
        : undefined,
    card: plan.card,
    offers: offersFor(plan, to),
    preview: to && (await shownPreview(asked, stripe, plan, to)),
  };
}

/** The offers of the pair that was bought, and the one that was asked for. */
function offersFor(plan: OwnPlan, to: OfferKey | undefined): ShownPlan["offers"] {
  const asked = to ? [{ offer: to, direction: directionOf(plan.terms, termsOf(to)) }] : [];
  const pair = asked.some(({ direction }) => direction !== "same")
    ? asked
    : changesFrom(plan.terms, plan.bought);
  return pair.flatMap(({ offer, direction }) =>
    direction === "same"
      ? []
      : [{ offer, direction, name: planTitle(offers[offer].plan), price: offerPrice(offer) }],
  );
}

async function shownPreview(
  asked: RequestContext,
  stripe: Stripe,
  plan: OwnPlan,
  offer: OfferKey,
): Promise<ShownPreview | undefined> {
  const direction = directionOf(plan.terms, termsOf(offer));
  if (direction === "same") return;
  const blocked = whatBlocks(plan);
  if (blocked && !(blocked === "renewing" && direction === "down")) return;
  const target = await targetOf(asked, stripe, plan, offer);
  if (!target) return { kind: "none", why: "not-offered" };
  const words = { offer, name: planTitle(offers[offer].plan), price: offerPrice(offer) };
  if (direction === "down") {
    const isSmaller = offers[offer].plan !== plan.terms.plan;
    const { current_period_end: at } = plan.item;
    const { amount } = offers[offer];
    return { kind: "down", ...words, note: noteOn(plan, false), amount, at, isSmaller };
  }
  const { taxAdded, ...due } = await previewUpward(stripe, plan, target);
  return { kind: "up", ...words, ...due, note: noteOn(plan, taxAdded) };
}

/** What a later payment has besides its price. */
function noteOn({ subscription }: OwnPlan, taxAdded: boolean): string {
  const sentences = [
    taxAdded || subscription.automatic_tax.enabled ? "Tax is reckoned anew each time." : "",
    subscription.discounts.length > 0 ? "A discount that you still have then is taken off." : "",
  ];
  return sentences.filter(Boolean).join(" ");
}

function pendingName(
  { subscription_items }: Stripe.Subscription.PendingUpdate,
  plan: OwnPlan,
): string {
  const changed = subscription_items?.find(({ price }) => price.id !== plan.item.price.id);
  const { interval = "", interval_count = 1 } = changed?.price.recurring ?? {};
  // What is paid for upwards is the larger plan, or the same one for longer.
  if (plan.terms.plan === "basic") return "Pro";
  return `Pro, paid ${perInterval(interval, interval_count)}`;
}

function priceOf({ unit_amount, currency, recurring }: Stripe.Price): string {
  if (unit_amount === null) return "Custom pricing";
  const { interval = "once", interval_count = 1 } = recurring ?? {};
  return amountPer(unit_amount, currency, { interval, intervalCount: interval_count });
}

function offerPrice(offer: OfferKey): string {
  const { amount, currency } = offers[offer];
  return amountPer(amount, currency, termsOf(offer));
}

function amountPer(
  amount: number,
  currency: string,
  { interval, intervalCount }: { interval: string; intervalCount: number },
): string {
  return `${exactAmount(amount, currency)} ${perInterval(interval, intervalCount)}`;
}
