import type { Database } from "~/database/types";

export type SubscriptionRow = Database["public"]["Tables"]["subscriptions"]["Row"];

export type SubscriptionState = {
  label: string;
  tone: "good" | "warning" | "over";
  /** What it means and what to do, as a sentence. */
  advice: string;
};

/** Whether a subscription still counts: it runs, or Stripe still tries to collect for it. */
export function isRunning({ status }: Pick<SubscriptionRow, "status">): boolean {
  return !["canceled", "incomplete", "incomplete_expired"].includes(status);
}

/** Whether Stripe will never charge for a subscription again. One that waits for its first payment may. */
export function isOver({ status }: Pick<SubscriptionRow, "status">): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** Stripe's status in words for the person who pays. */
export function describeSubscription(
  row: Pick<SubscriptionRow, "status" | "cancel_at" | "current_period_end" | "ended_at">,
): SubscriptionState {
  const ends = formatDate(row.cancel_at);
  switch (row.status) {
    case "active":
    case "trialing":
      return row.cancel_at
        ? {
            label: "Cancelled",
            tone: "warning",
            advice: `Your plan ends on ${ends} and does not renew. Until then everything works. You can take the cancellation back under Manage billing.`,
          }
        : {
            label: row.status === "active" ? "Active" : "Trial",
            tone: "good",
            advice: `Renews on ${formatDate(row.current_period_end)}.`,
          };
    case "past_due":
      return {
        label: "Past due",
        tone: "warning",
        advice:
          "The last payment failed. Update your card under Manage billing; Stripe then tries again.",
      };
    case "unpaid":
    case "paused":
      return {
        label: row.status === "unpaid" ? "Unpaid" : "Paused",
        tone: "warning",
        advice: "Your plan is on hold. Pay the open invoice under Manage billing to go on.",
      };
    case "incomplete":
      return {
        label: "Payment incomplete",
        tone: "warning",
        advice: "The first payment was not confirmed. Finish it under Manage billing.",
      };
    default:
      return {
        label: "Ended",
        tone: "over",
        advice: `Your plan ended on ${formatDate(row.ended_at)}. Choose a plan to go on.`,
      };
  }
}

/** A date as people write it, in UTC so that server and browser agree. */
function formatDate(timestamp: string | null): string {
  if (!timestamp) return "an unknown date";
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(timestamp),
  );
}

/** An amount in the smallest unit of its currency, as Stripe has it. */
export function formatPrice({
  unit_amount,
  currency,
  billing_interval,
}: Pick<SubscriptionRow, "unit_amount" | "currency" | "billing_interval">): string {
  if (unit_amount === null) return "Custom pricing";
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(unit_amount / 10 ** digits)} per ${billing_interval}`;
}
