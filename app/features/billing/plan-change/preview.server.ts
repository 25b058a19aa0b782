import type Stripe from "stripe";
import { type OfferKey, offers, planNames } from "~/content/plans";
import type { StripePlan } from "./stripe-plans.server";

/** What an upward change costs today. Amounts are in the smallest unit of the currency. */
export type DuePreview = {
  due: number;
  currency: string;
  /** The lines add up to `due`. */
  lines: { label: string; amount: number }[];
  /** The amount that goes to the credit balance, when the unused time is worth more than the new plan. */
  credited: number;
  /**
   * The time from which Stripe counts the unused time, in seconds since 1970. Undefined for a change that begins a
   * new billing period: Stripe counts that from the moment of the change.
   */
  prorationDate: number | undefined;
  /** When the new plan renews, in seconds since 1970. */
  renewsAt: number;
  /** Whether tax comes on top of the price. */
  taxAdded: boolean;
};

type Terms = { offer: OfferKey; priceId: string };

/** Whether a change begins a new billing period: one to an interval of another length does. */
function beginsAnew({ terms }: StripePlan, { offer }: Pick<Terms, "offer">): boolean {
  return terms.interval !== offers[offer].interval || terms.intervalCount !== 1;
}

/**
 * The parameters of an upward change, for its preview and for the change itself. With another interval the
 * billing period begins today; under flexible billing Stripe would otherwise keep the old day of renewal. Stripe
 * refuses a `proration_date` together with such a beginning, so only a change within the period names one.
 */
export function upwardChange(plan: StripePlan, target: Terms, prorationDate: number | undefined) {
  const { id, quantity } = plan.item;
  const date = prorationDate === undefined ? {} : { proration_date: prorationDate };
  return {
    items: [{ id, price: target.priceId, ...(quantity === undefined ? {} : { quantity }) }],
    proration_behavior: "always_invoice",
    ...(beginsAnew(plan, target) ? { billing_cycle_anchor: { type: "now" as const } } : date),
  } satisfies Stripe.SubscriptionUpdateParams;
}

/**
 * Asks Stripe what an upward change costs, counted from now by Stripe's clock; where the billing period goes on, from
 * `prorationDate` (seconds since 1970) if it is given. Throws when Stripe does not answer or refuses.
 */
export async function previewUpward(
  stripe: Stripe,
  plan: StripePlan,
  target: Terms,
  prorationDate?: number,
): Promise<DuePreview> {
  const invoice = await stripe.invoices.createPreview({
    customer: plan.customer,
    subscription: plan.subscription.id,
    subscription_details: upwardChange(plan, target, prorationDate),
  });
  const due = dueOf(invoice, plan, target.offer);
  if (beginsAnew(plan, target)) return { ...due, prorationDate: undefined };
  return { ...due, prorationDate: prorationDate ?? due.prorationDate };
}

function dueOf(invoice: Stripe.Invoice, plan: StripePlan, offer: OfferKey): DuePreview {
  const { amount_due: due, currency, total } = invoice;
  const { data } = invoice.lines;
  const unused = data.filter((line) => isProration(line) && line.amount < 0);
  const bought = data.filter((line) => !unused.includes(line));
  const discount = sum(invoice.total_discount_amounts ?? []);
  const tax = sum((invoice.total_taxes ?? []).filter(isAdded));
  const credited = Math.max(0, -total);
  const lines = [
    { label: `Unused time of ${planNames[plan.terms.plan]}`, amount: sum(unused) },
    { label: planNames[offers[offer].plan], amount: sum(bought) },
    { label: "Discount", amount: -discount },
    { label: "Tax", amount: tax },
    { label: "Goes to your credit balance", amount: credited },
    { label: "Paid from your credit balance", amount: Math.min(0, due - Math.max(0, total)) },
    { label: "Earlier balance", amount: Math.max(0, due - Math.max(0, total)) },
  ];
  const nonZero = lines.filter(({ amount }) => amount !== 0);
  const rest = due - sum(nonZero);
  if (rest !== 0) nonZero.push({ label: "Other items", amount: rest });
  return {
    due,
    currency,
    lines: nonZero,
    credited,
    prorationDate: data.find(isProration)?.period.start ?? Math.floor(Date.now() / 1_000),
    renewsAt: Math.max(...data.map(({ period }) => period.end)),
    taxAdded: tax > 0,
  };
}

function isProration({ parent }: Stripe.InvoiceLineItem): boolean {
  const details = parent?.subscription_item_details ?? parent?.invoice_item_details;
  return details?.proration ?? false;
}

function isAdded({ tax_behavior }: Stripe.Invoice.TotalTax): boolean {
  return tax_behavior === "exclusive";
}

function sum(amounts: readonly { amount: number }[]): number {
  return amounts.reduce((total, { amount }) => total + amount, 0);
}
