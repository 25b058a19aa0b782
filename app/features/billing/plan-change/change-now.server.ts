import Stripe from "stripe";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import type { ShownCard } from "../prices/words";
import { idempotencyKey } from "../stripe/idempotency-key";
import { releaseSchedule } from "./change-later.server";
import { type ChangeOutcome, done, refused } from "./outcome";
import { type OwnPlan, pauseAfterRound, readAgain } from "./own-plans.server";
import { previewUpward, upwardChange } from "./preview.server";
import { isRefusal } from "./stripe-refusals.server";
import type { Target } from "./target.server";

/** What a person was shown and confirms. */
export type Shown = { amount: number; prorationDate: number };

/** How long a preview may be confirmed, in seconds: what is left of a period shrinks meanwhile. */
const previewLifetime = 60 * 60;
const rounds = 6;

type Scope = { context: AppContext; stripe: Stripe };

/**
 * Changes a plan upwards and charges for it, at most once from one state of the subscription. The change
 * holds only when it is paid: until then Stripe keeps it as a pending update, and a declined one is given
 * up here, so that everything is as it was. What costs something else than was shown is not done.
 */
export async function changeNow(
  scope: Scope,
  plan: OwnPlan,
  target: Target,
  shown: Shown,
): Promise<ChangeOutcome> {
  if (shown.amount > 0 && !plan.canPay) return refused("no-card");
  const isTrue = await isStillTrue(scope.stripe, plan, target, shown);
  const sent: Sent = isTrue ? await sendChange(scope, plan, target, shown) : { kind: "moved" };
  for (let round = 1; round <= rounds; round++) {
    const present = await readAgain(
      scope.context.configuration,
      scope.stripe,
      plan.subscription.id,
    );
    if (!present) return refused("gone");
    if (present.item.price.id === target.priceId && !present.subscription.pending_update) {
      return done("changed");
    }
    if (present.subscription.pending_update) {
      const outcome = await waitingOutcome(scope.stripe, present);
      if (outcome) return outcome;
    } else if (sent.kind === "declined") {
      return { kind: "refused", why: "declined", card: plan.card, said: sent.said };
    } else if (sent.kind === "pending") {
      // Another request from the same state has found the payment declined, and given the change up.
      return await declined(scope.stripe, present, sent.invoice);
    } else if (sent.kind === "moved" || present.item.price.id !== plan.item.price.id) {
      // Another tab came first, with another offer.
      return refused("moved");
    } else if (sent.kind === "refused") {
      return refused(present.state === plan.state ? "not-accepted" : "moved");
    } else if (sent.kind === "earlier" && round > 2) {
      return refused(present.state === plan.state ? "earlier" : "moved");
    }
    // Another request is under way: it has the key, or pays at this moment.
    await pauseAfterRound(round);
  }
  return refused("unavailable");
}

/** Whether the change still costs what was shown, reckoned from a moment that is not long ago. */
async function isStillTrue(
  stripe: Stripe,
  plan: OwnPlan,
  target: Target,
  { amount, prorationDate }: Shown,
): Promise<boolean> {
  try {
    const [now, then] = await Promise.all([
      previewUpward(stripe, plan, target),
      previewUpward(stripe, plan, target, prorationDate),
    ]);
    const age = now.prorationDate - prorationDate;
    return age >= 0 && age <= previewLifetime && then.due === amount;
  } catch (error) {
    // Stripe refuses a moment outside the present period.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
    throw error;
  }
}

type Sent =
  | { kind: "moved" }
  | { kind: "pending"; invoice: string | undefined }
  | { kind: "declined"; said: string }
  | { kind: "refused" }
  /** A request for something else had the key: it is under way, or it was not carried out. */
  | { kind: "earlier" }
  | { kind: "unknown" };

async function sendChange(
  { stripe }: Scope,
  plan: OwnPlan,
  target: Target,
  { prorationDate }: Shown,
): Promise<Sent> {
  const change = {
    ...upwardChange(plan, target),
    proration_date: prorationDate,
    payment_behavior: "pending_if_incomplete",
  } satisfies Stripe.SubscriptionUpdateParams;
  // A schedule without a change in it, which was begun and not finished, would refuse this one.
  await releaseSchedule(stripe, plan);
  try {
    const { pending_update, latest_invoice } = await stripe.subscriptions.update(
      plan.subscription.id,
      change,
      // Not by offer or moment: of two tabs that confirm different things one is carried out. A key is good
      // for minutes; a tab that presses beyond its edge is refused by the state that it was shown, or, in the
      // same second, finds the price that it wants, or a moment outside the period that has begun anew.
      { idempotencyKey: idempotencyKey(`change-${plan.subscription.id}-${plan.state}`) },
    );
    if (!pending_update) return { kind: "unknown" };
    const invoice = typeof latest_invoice === "string" ? latest_invoice : latest_invoice?.id;
    return { kind: "pending", invoice };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) {
      return { kind: "declined", said: error.message };
    }
    const why = describeError(error);
    if (isRefusal(error)) {
      log.error("A change of plan was refused", why);
      return { kind: "refused" };
    }
    log.warn("A change of plan was not answered", why);
    const isOfAnother =
      error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409;
    return { kind: isOfAnother ? "earlier" : "unknown" };
  }
}

/** What becomes of a change that waits for its payment; undefined when that is decided at this moment. */
async function waitingOutcome(stripe: Stripe, plan: OwnPlan): Promise<ChangeOutcome | undefined> {
  const { latestInvoice } = plan;
  if (!latestInvoice) return refused("pending");
  const { status, url, said, card } = await paymentOf(stripe, latestInvoice.id);
  if (status === "requires_action") return url ? { kind: "leave", url } : refused("pending");
  if (status !== "requires_payment_method") return;
  if (!(await giveUp(stripe, latestInvoice.id))) return;
  return { kind: "refused", why: "declined", card: card ?? plan.card, said };
}

async function declined(
  stripe: Stripe,
  plan: OwnPlan,
  invoice: string | undefined,
): Promise<ChangeOutcome> {
  const payment = invoice ? await paymentOf(stripe, invoice) : undefined;
  const card = payment?.card ?? plan.card;
  return { kind: "refused", why: "declined", card, said: payment?.said };
}

/** Voids the invoice of a pending update, which discards the update. False when it is not open any more. */
export async function giveUp(stripe: Stripe, invoice: string): Promise<boolean> {
  try {
    await stripe.invoices.voidInvoice(invoice);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

type Payment = {
  status: Stripe.PaymentIntent.Status | undefined;
  url: string | undefined;
  card: ShownCard | undefined;
  /** Why the bank declined, in Stripe's words for the person. */
  said: string | undefined;
};

/** How the payment of an invoice stands. */
export async function paymentOf(stripe: Stripe, invoiceId: string): Promise<Payment> {
  const invoice = await stripe.invoices.retrieve(invoiceId, {
    expand: ["payments.data.payment.payment_intent"],
  });
  const intents = (invoice.payments?.data ?? []).flatMap(({ payment: { payment_intent } }) =>
    typeof payment_intent === "object" ? [payment_intent] : [],
  );
  const intent = intents.at(0);
  const failure = intent?.last_payment_error;
  const card = failure?.payment_method?.card;
  return {
    status: intent?.status,
    url: invoice.hosted_invoice_url ?? undefined,
    card: card && { brand: card.brand, last4: card.last4 },
    said: failure?.message,
  };
}
