import { planKeys, planNames } from "~/content/plans";
import { dayMs, dayOf, momentOf } from "~/ui/dates";
import { hasExpired, methodWords } from "../prices/words";
import { plainPrice, type SubscriptionRow } from "./price-words";

export type SubscriptionState = {
  label: string;
  tone: "good" | "warning" | "over";
  /** What the status means and what to do about it, in sentences. */
  advice: string;
};

/**
 * Whether a subscription gives the rights of its plan. An unpaid or paused one is on hold: it is open but gives
 * no rights. The function `account_plan` of the database has the same rule.
 */
export function isEntitled({ status }: Pick<SubscriptionRow, "status">): boolean {
  return ["active", "trialing", "past_due"].includes(status);
}

/** Whether a subscription has begun and not ended, even if it is unpaid or paused. */
export function isOpen({ status }: Pick<SubscriptionRow, "status">): boolean {
  return !["canceled", "incomplete", "incomplete_expired"].includes(status);
}

/** Whether Stripe will never charge for a subscription again. An incomplete one may still be charged. */
export function isOver({ status }: Pick<SubscriptionRow, "status">): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

type Described = Pick<
  SubscriptionRow,
  | "status"
  | "cancel_at"
  | "current_period_end"
  | "ended_at"
  | "end_reason"
  | "paused_from"
  | "paused_until"
>;

/** Stripe's status in words for the person who pays. Only the billing page says why a payment failed. */
export function describeSubscription(row: Described): SubscriptionState {
  const ends = dayOf(row.cancel_at);
  switch (row.status) {
    case "active":
    case "trialing":
      return row.cancel_at
        ? {
            label: "Cancelled",
            tone: "warning",
            advice: `Your plan ends on ${ends} and does not renew. Until then everything works. You can take the cancellation back under Change plan.`,
          }
        : {
            label: row.status === "active" ? "Active" : "Trial",
            tone: "good",
            advice: row.paused_from
              ? `Paused from ${dayOf(row.paused_from)} until ${dayOf(row.paused_until)}.`
              : `Renews on ${dayOf(row.current_period_end)}.`,
          };
    case "past_due":
      return {
        label: "Past due",
        tone: "warning",
        advice: "The last payment did not go through. Billing says why, and how to pay it.",
      };
    case "unpaid":
      return {
        label: "Unpaid",
        tone: "warning",
        advice:
          "Your plan is on hold, because its payment failed and is not tried again. Pay the open invoice under Billing to go on.",
      };
    case "paused":
      return {
        label: "Paused",
        tone: "warning",
        advice: row.paused_until
          ? `Your plan is paused until ${dayOf(row.paused_until)}: nothing is charged, and nobody watches your servers. It runs again by itself, or earlier under Change plan.`
          : "Your plan is on hold, because its trial ended without a card. Nothing is owed. Write to us to go on.",
      };
    case "incomplete":
      return {
        label: "Payment incomplete",
        tone: "warning",
        advice:
          "The first payment was not confirmed. Confirm it under Billing within a day; after that nothing is charged and you can choose a plan again.",
      };
    case "incomplete_expired":
      return {
        label: "Not started",
        tone: "over",
        advice:
          "The first payment was never confirmed, so this plan did not begin. Nothing was charged.",
      };
    default:
      return {
        label: "Ended",
        tone: "over",
        advice: `Your plan ended on ${dayOf(row.ended_at)}${endReasons.get(row.end_reason) ?? ""}. Choose a plan to go on.`,
      };
  }
}

const endReasons: ReadonlyMap<string | null, string> = new Map([
  ["payment_failed", ", because its payment failed"],
  ["payment_disputed", ", because its payment was disputed"],
  ["unpaid_order", ", because its invoice was not paid"],
]);

type Noted = Pick<
  SubscriptionRow,
  | "status"
  | "cancel_at"
  | "current_period_end"
  | "changes_at"
  | "next_plan"
  | "next_amount"
  | "next_interval"
  | "currency"
  | "pending_until"
  | "card_brand"
  | "card_last4"
  | "card_expires_at"
>;

/**
 * What happens next to an open subscription, and what its owner should do, as sentences: a planned change, a
 * change that waits for payment, a card that expires. `now` is in milliseconds.
 */
export function comingEvents(row: Noted, now: number): string[] {
  if (!isOpen(row)) return [];
  return [scheduledChange(row), waitingChange(row, now), endingCard(row, now)].flatMap(
    (each) => each ?? [],
  );
}

function scheduledChange(row: Noted): string | undefined {
  if (row.changes_at === null || row.cancel_at !== null) return;
  const plan = planKeys.find((key) => key === row.next_plan);
  const price = plainPrice(row.next_amount, row.currency, row.next_interval);
  const to = [plan && planNames[plan], price && `(${price})`].filter(Boolean).join(" ");
  return `Changes${to && ` to ${to}`} on ${dayOf(row.changes_at)}.`;
}

function waitingChange({ pending_until }: Noted, now: number): string | undefined {
  if (pending_until === null || Date.parse(pending_until) < now) return;
  return `A change of your plan waits for its payment until ${momentOf(pending_until)}. Pay it under Billing; until then your plan stays as it is.`;
}

/** A warning about a card that has expired, or that expires within 31 days or before a payment in that time. */
function endingCard(row: Noted, now: number): string | undefined {
  const { card_expires_at, cancel_at, current_period_end } = row;
  const card = methodWords(row);
  if (!card || card_expires_at === null || cancel_at !== null) return;
  if (hasExpired(row, now)) {
    return `Your card (${card}) has expired. Change it under Billing, or the next payment fails.`;
  }
  const last = Date.parse(card_expires_at);
  const beforeNext = current_period_end !== null && last < Date.parse(current_period_end);
  if (
    last - now < 31 * dayMs ||
    (beforeNext && Date.parse(current_period_end) - now < 31 * dayMs)
  ) {
    return `Your card (${card}) works until ${dayOf(card_expires_at)}. Change it under Billing.`;
  }
}
