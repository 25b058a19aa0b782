import { allowedDeployments, type Entitlement } from "./plan-limits";

/** What the plan holds and how much of it is used, in one line. */
export function planLine(entitlement: Entitlement, total: number): string {
  switch (entitlement.kind) {
    case "entitled": {
      const allowed = allowedDeployments(entitlement.plan, entitlement.isTrial);
      if (entitlement.isTrial) return `Trial: ${total} of ${allowed}`;
      if (entitlement.plan === "Basic" && total > allowed) {
        return `Basic: ${allowed} of ${total} can be changed`;
      }
      return entitlement.plan === "Basic"
        ? `Basic: ${total} of ${allowed}`
        : `Pro: ${total === 1 ? "1 deployment" : `${total} deployments`}`;
    }
    case "on-hold":
      return "Plan on hold: read and download only";
    case "ended":
      return "Plan ended: read and download only";
    case "none":
      return "No plan yet";
  }
}
