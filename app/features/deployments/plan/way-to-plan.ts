import type { Entitlement, Plan } from "./plan-limits";

/** Where somebody gets what their plan lacks, and what a link or button there says. */
export type WayToPlan = { to: string; words: string };

/** An entitlement, and the offer that leads from their Basic plan to Pro: plans are sold in two pairs. */
export type EntitlementWithOffer = Entitlement & { offerOfPro?: "pro" | "yearly" };

/** The way to a larger plan, or to any; `back` is the path that the change of plan leads back to. */
export function wayToPlan(entitlement: EntitlementWithOffer, back: string): WayToPlan {
  switch (entitlement.kind) {
    case "running":
      return wayFrom(entitlement.plan, entitlement.offerOfPro, back);
    case "on-hold":
      return { to: "/dashboard/billing", words: "Go to billing" };
    default:
      return { to: "/pricing", words: "Choose a plan" };
  }
}

function wayFrom(plan: Plan, offer: "pro" | "yearly" = "pro", back: string): WayToPlan {
  if (plan === "Pro") return { to: "/contact?topic=sales", words: "Write to us" };
  return {
    to: `/dashboard/plan?${new URLSearchParams({ to: offer, back })}`,
    words: "Change to Pro",
  };
}
