import type { Plan, Standing } from "./plan-limits";

/** Where somebody gets what their plan lacks, and what a link or button there says. */
export type WayToPlan = { to: string; words: string };

/** What a standing is worth here: also the offer that makes a Basic plan Pro, of the pair they bought from. */
export type StandingWithOffer = Standing & { offerOfPro?: "pro" | "yearly" };

/** The way to a larger plan, or to any; `back` is the path that the change of plan leads back to. */
export function wayToPlan(standing: StandingWithOffer, back: string): WayToPlan {
  switch (standing.kind) {
    case "running":
      return wayFrom(standing.plan, standing.offerOfPro, back);
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
