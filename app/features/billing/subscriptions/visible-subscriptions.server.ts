import { planNames, plans } from "~/content/plans";
import { priceWords } from "./price-words";
import { comingEvents, describeSubscription, isOpen } from "./subscription-words";
import type { UserSubscription } from "./subscriptions.server";

/** A subscription as the overview shows it. */
export type VisibleSubscription = ReturnType<typeof subscriptionView>;

/** Those that run, or else the last one. */
export function visibleSubscriptions(rows: readonly UserSubscription[], now: number) {
  const running = rows.filter(isOpen);
  return (running.length > 0 ? running : rows.slice(0, 1)).map((row) => subscriptionView(row, now));
}

function subscriptionView(row: UserSubscription, now: number) {
  return {
    id: row.id,
    status: row.status,
    plan: planNames[row.plan],
    includes: (plans.find(({ key }) => key === row.plan)?.features ?? []).map(
      // Beside a deployment, which has a domain under every plan, the words of /pricing would mislead.
      (feature) => (feature === "Custom domain setup" ? "Further domains for a server" : feature),
    ),
    coming: comingEvents(row, now),
    ...priceWords(row, now),
    ...describeSubscription(row),
  };
}
