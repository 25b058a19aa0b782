import * as z from "zod/mini";
import type { OfferKey } from "~/content/plans";
import { offers } from "~/content/plans";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { type AuditAction, auditIntent } from "../audit-intent.server";
import { openPortal } from "../billing-page/portal.server";
import { priceIds } from "../prices/prices";
import type { Holder } from "../subscriptions/customers.server";
import { syncSubscription } from "../subscriptions/sync-subscription.server";
import { cancelPlan, giveChangeUp, resumePlan } from "./cancel/cancel.server";
import { cancelReason } from "./cancel/cancel-reasons";
import { whatBlocks } from "./change-blocks";
import { changeLater, keepPlan } from "./change-later.server";
import { changeNow } from "./change-now.server";
import { type ChangeOutcome, done, refused } from "./outcome";
import { pausePlan, unpausePlan } from "./pause/pause.server";
import { type AtStripe, readStripePlans, type StripePlan } from "./stripe-plans.server";
import { isRefusal } from "./stripe-refusals.server";
import { targetOf } from "./target.server";
import { offerNamed } from "./terms";

/** The forms of /dashboard/plan. */
export type PlanIntent =
  | "change"
  | "cancel"
  | "resume"
  | "keep"
  | "give-up"
  | "pause"
  | "unpause"
  | "card"
  | "buy"
  | "order";

const actionOf: Readonly<Record<string, AuditAction>> = {
  change: "plan.change-asked",
  cancel: "plan.cancel-asked",
  resume: "plan.resume-asked",
  keep: "plan.keep-asked",
  "give-up": "plan.give-up-asked",
  pause: "plan.pause-asked",
  unpause: "plan.unpause-asked",
  card: "billing.opened",
} satisfies Record<Exclude<PlanIntent, "buy" | "order">, AuditAction>;

const wholeNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,12}$/)),
  z.transform((digits: string) => Number(digits)),
);
const confirmed = z.object({ amount: wholeNumber, proration: wholeNumber });

/**
 * Carries out what a form of /dashboard/plan asks for, and syncs our records at once. `page` is the path of the
 * page with the form. Never throws.
 */
export async function answerPlanForm(
  context: AppContext,
  holder: Holder,
  form: URLSearchParams,
  page: string,
): Promise<ChangeOutcome> {
  try {
    const at = await readStripePlans(context, holder);
    const plan = at.plans.find(({ subscription }) => subscription.id === form.get("subscription"));
    if (!plan) return refused("gone");
    const action = actionOf[form.get("intent") ?? ""];
    if (!action) return refused("moved");
    await auditIntent(context, holder, action, offerNamed(form.get("to")));
    if (form.get("intent") === "card") {
      return { kind: "leave", url: await cardPage(context, plan.customer, page) };
    }
    const outcome = await carryOut(context, at, plan, form);
    await record(context, plan.customer);
    return outcome;
  } catch (error) {
    log.error("A plan could not be changed", describeError(error));
    return refused(isRefusal(error) ? "not-accepted" : "unavailable");
  }
}

async function carryOut(
  context: AppContext,
  at: AtStripe,
  plan: StripePlan,
  form: URLSearchParams,
): Promise<ChangeOutcome> {
  const { stripe } = at;
  const scope = { context, stripe };
  // A change or cancellation is refused when the plan is not as it was shown. Taking something back is not.
  const isAsShown = plan.state === form.get("state");
  switch (form.get("intent")) {
    case "change": {
      const offer = offerNamed(form.get("to"));
      if (!offer) return refused("moved");
      return change(context, at, plan, { offer, isAsShown, form });
    }
    case "cancel":
      if (!isAsShown && plan.subscription.cancel_at === null) return refused("moved");
      return cancelPlan(scope, plan, cancelReason(form.get("reason")));
    case "resume":
      return resumePlan(scope, plan);
    case "keep":
      return keepPlan(stripe, plan);
    case "give-up":
      return giveChangeUp(scope, plan);
    case "pause":
      return pausePlan(scope, plan, form.get("until"));
    case "unpause":
      return unpausePlan(scope, plan, isAsShown);
    default:
      return refused("moved");
  }
}

async function change(
  context: AppContext,
  { stripe }: AtStripe,
  plan: StripePlan,
  { offer, isAsShown, form }: { offer: OfferKey; isAsShown: boolean; form: URLSearchParams },
): Promise<ChangeOutcome> {
  // After a second click, or from a second tab, the change is done already.
  const priceId = priceIds(context.configuration)[offer];
  if (plan.item.price.id === priceId && !plan.subscription.pending_update) return done("changed");
  if (plan.planned?.priceId === priceId) return done("scheduled");
  const confirmedAmount = confirmed.safeParse({
    amount: form.get("amount"),
    proration: form.get("proration"),
  });
  const blocked = whatBlocks(plan);
  if (!isAsShown || !confirmedAmount.success)
    return refused(blocked === "pending" ? "pending" : "moved");
  const target = await targetOf(context, stripe, plan, offer);
  if (!target) return refused("not-offered");
  const scope = { context, stripe };
  if (target.direction === "down") {
    if (blocked && blocked !== "renewing") return refused(blocked);
    // The page was loaded before the offer's amount changed.
    if (confirmedAmount.data.amount !== offers[offer].amount) return refused("moved");
    return changeLater(scope, plan, target);
  }
  if (blocked) return refused(blocked);
  const { amount, proration } = confirmedAmount.data;
  return changeNow(scope, plan, target, { amount, prorationDate: proration || undefined });
}

/** Syncs our records. The webhook does the same a moment later; until then the dashboard would be out of date. */
async function record({ configuration }: AppContext, customer: string) {
  try {
    await syncSubscription(configuration, customer);
  } catch (error) {
    log.warn("A change of plan is recorded later", describeError(error));
  }
}

/** The URL of Stripe's page for a customer's card. Afterwards it leads back to `page`, a path of this site. */
async function cardPage(context: AppContext, customer: string, page: string): Promise<string> {
  const visit = { customer, flow: "payment_method_update", back: page, done: page } as const;
  // If Stripe does not know the customer any more, the page is shown again without the plan.
  return (await openPortal(context, visit)) ?? page;
}
