import { allowedDeployments, fullPlan } from "../plan/plan-limits";
import { type EntitlementWithOffer, planLinkFor } from "../plan/plan-link";
import { writingRefusal } from "../record/save-deployments.server";

/** Why no deployment can be begun, with the way to a plan that has room; undefined where one can. */
export function beginningRefusal(
  entitlement: EntitlementWithOffer | null | undefined,
  page: { total: number } | null | undefined,
  path: string,
) {
  if (!entitlement || !page) return { state: "unavailable" as const };
  const planLink = planLinkFor(entitlement, path);
  const refusal = writingRefusal(entitlement);
  if (refusal) return { state: "refused" as const, refusal, planLink };
  const isFull =
    entitlement.kind === "entitled" &&
    page.total >= allowedDeployments(entitlement.plan, entitlement.isTrial);
  if (!isFull) return;
  return {
    state: "refused" as const,
    refusal: fullPlan(entitlement.plan, entitlement.isTrial),
    planLink,
  };
}
