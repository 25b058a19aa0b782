import { dayOf, fromSeconds } from "~/ui/dates";
import type { PlanView } from "./plan-screen";
import { notRenewedWords } from "./words";

/**
 * A sentence about what was carried out. The word comes from the URL, which anybody can write, so undefined is
 * returned when the plan's present state does not agree with it.
 */
export function doneSentence(word: string | null, plan: PlanView): string | undefined {
  const { name, price, endsAt, pause, planned, pending, renewsAt } = plan;
  const keeps = `Done. You keep ${name}. It renews on ${dayOf(fromSeconds(renewsAt))} for ${price}.`;
  switch (word) {
    case "changed":
      return pending
        ? undefined
        : `Done. You have ${name} now. It renews on ${dayOf(fromSeconds(renewsAt))}.`;
    case "scheduled":
      return (
        planned &&
        `Done. On ${dayOf(fromSeconds(planned.at))} your plan changes to ${planned.name}.`
      );
    case "kept":
      return planned ? undefined : keeps;
    case "cancelled":
      return endsAt === undefined
        ? undefined
        : `Done. ${name} ends on ${dayOf(fromSeconds(endsAt))}. ${notRenewedWords(plan)}`;
    case "resumed":
      return endsAt === undefined ? keeps : undefined;
    case "paused":
      return (
        pause &&
        `Done. ${name} is paused from ${dayOf(fromSeconds(pause.from))} until ${dayOf(fromSeconds(pause.until))}.`
      );
    case "running":
      return pause ? undefined : keeps;
    case "ordered":
      return plan.orderLimit === undefined
        ? undefined
        : `Done. You have ${name}. Stripe sends the invoice within an hour.`;
    case "given-up":
      return pending
        ? undefined
        : `Done. The change was given up and nothing was charged. You have ${name}.`;
  }
}
