import { offers, priceLabel } from "~/content/plans";
import { buyAddress, consoleBase } from "~/ui/console/console-path";
import type { Entitlement, Plan } from "./plan-limits";

/** A link to where somebody gets what their plan lacks: its address and its text. */
export type PlanLink = {
  to: string;
  words: string;
  /** What that plan costs, where it is one that has more. */
  price?: string;
};

/** An entitlement, and the offer that leads from their Basic plan to Pro: plans are sold in two pairs. */
export type EntitlementWithOffer = Entitlement & { offerOfPro?: "pro" | "yearly" };

/** The link to a larger plan, or to any plan. `back` is the page of the console to which the change of plan leads back. */
export function planLinkFor(entitlement: EntitlementWithOffer, back: string): PlanLink {
  const base = consoleBase(back);
  switch (entitlement.kind) {
    case "entitled":
      if (entitlement.isTrial) return { to: "/signup", words: "Sign up" };
      return linkFrom(entitlement.plan, entitlement.offerOfPro, base, back);
    case "on-hold":
      return { to: `${base}/billing`, words: "Go to billing" };
    default:
      return { to: buyAddress(base), words: "Choose a plan" };
  }
}

function linkFrom(
  plan: Plan,
  offer: "pro" | "yearly" = "pro",
  base: string,
  back: string,
): PlanLink {
  if (plan === "Pro") return { to: "/contact?topic=sales", words: "Write to us" };
  return {
    to: `${base}/plan?${new URLSearchParams({ to: offer, back })}`,
    words: "Change to Pro",
    price: priceLabel(offers[offer]),
  };
}
