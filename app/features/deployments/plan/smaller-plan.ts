import type { DowngradeLosses } from "~/features/billing/plan-change/downgrade-losses";
import type { Deployment } from "../stored-deployment";
import { allowedDeployments, type Plan, proChoicesOf } from "./plan-limits";

type Aged = Pick<Deployment, "id" | "createdAt">;

/**
 * The deployments that a plan does not let change: under Basic all but the one that was made first. It
 * takes nothing away, so that a plan which grows again finds everything as it was.
 */
export function readOnlyUnder<Each extends Aged>(plan: Plan, deployments: readonly Each[]): Each[] {
  if (plan === "Pro") return [];
  return deployments.toSorted(byAge).slice(allowedDeployments(plan));
}

/** What changing to `plan` means for these deployments: all of an account's, in any order. */
export function lossesOfDowngrade(
  deployments: readonly (Aged & Pick<Deployment, "name" | "stored">)[],
  plan: Plan,
): DowngradeLosses {
  const losses = deployments.toSorted(byAge).map(({ name, stored }) => ({
    name,
    choices: plan === "Basic" && "options" in stored ? proChoicesOf(stored.options) : [],
  }));
  return {
    readOnly: readOnlyUnder(plan, deployments).map(({ name }) => name),
    kept: losses.filter(({ choices }) => choices.length > 0),
  };
}

function byAge(one: Aged, other: Aged): number {
  const [earlier, later] = [inMicroseconds(one.createdAt), inMicroseconds(other.createdAt)];
  if (earlier !== later) return earlier < later ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/** A time of the database as text that sorts by time; it leaves out zeros at the end of a fraction. */
function inMicroseconds(timestamp: string): string {
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? "";
  const milliseconds = Date.parse(timestamp);
  return `${String(milliseconds).padStart(16, "0")}${fraction.padEnd(6, "0").slice(3)}`;
}
