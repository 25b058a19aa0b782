import { type PlanName, planQuotas } from "~/content/plans";
import { isEntitled } from "~/features/billing/subscriptions/subscription-words";
import type { Problem } from "../bundle/bundle-types.ts";
import { type DeploymentOptions, deploymentSchema } from "../bundle/options/options.ts";
import { valueAt } from "../bundle/options/paths.ts";
import { basicValue, proLimits } from "../bundle/options/pro-limits.ts";

export type Plan = PlanName;

/** What an account may do with deployments: only an entitled subscription lets it write; an ended one still lets it read. */
export type Entitlement =
  /** `isTrial`: with the choices of the plan, and room for few deployments. */
  | { kind: "entitled"; plan: Plan; isTrial?: true }
  | { kind: "on-hold" }
  | { kind: "ended" }
  | { kind: "none" };

/** How many deployments a trial has, with the two that it begins with. */
const trialDeployments = 5;

/** How many deployments a plan holds. */
export function allowedDeployments(plan: Plan, isTrial?: boolean): number {
  if (isTrial) return trialDeployments;
  return (plan === "Basic" ? planQuotas.basic : planQuotas.pro).deployments;
}

/** Why a plan that is full takes no further one, and what to do. */
export function fullPlan(plan: Plan, isTrial?: boolean): string {
  if (isTrial) {
    return `A trial has ${trialDeployments} deployments, and you have them all. Delete one first, or sign up: what you described stays.`;
  }
  return plan === "Basic"
    ? "Basic has one deployment, and you have it. Delete it first, or change to Pro for many."
    : `Pro has ${planQuotas.pro.deployments} deployments, and you have them all. Delete one first, or write to us on /contact.`;
}

/** Of several entitled subscriptions the larger plan counts. */
export function entitlementOf(
  subscriptions: readonly { status: string; plan: Plan }[],
): Entitlement {
  const entitled = subscriptions.filter(isEntitled);
  if (entitled.length > 0) {
    const plan = entitled.every((subscription) => subscription.plan === "Basic") ? "Basic" : "Pro";
    return { kind: "entitled", plan };
  }
  if (subscriptions.some(({ status }) => ["unpaid", "paused"].includes(status))) {
    return { kind: "on-hold" };
  }
  return subscriptions.some(({ status }) => status === "canceled")
    ? { kind: "ended" }
    : { kind: "none" };
}

type ProLimit = (typeof proLimits)[number];

/** Whether options have what only Pro has: anything but the default at this field. */
function needsPro(limit: ProLimit, options: DeploymentOptions): boolean {
  return JSON.stringify(valueAt(options, limit.field)) !== JSON.stringify(basicValue(limit));
}

/** What options have of Pro, in words for a list. */
export function proChoicesOf(options: DeploymentOptions): string[] {
  return proLimits.flatMap((limit) => (needsPro(limit, options) ? [limit.listed] : []));
}

/**
 * The choices that a plan does not have, each at its field. What was saved under an earlier plan and
 * has not changed stays: nobody is stopped from changing the rest.
 */
export function lockedChoices(
  plan: Plan,
  options: DeploymentOptions,
  saved?: DeploymentOptions,
): Problem[] {
  if (plan === "Pro") return [];
  return proLimits.flatMap((limit) => {
    const isSaved = saved && chosen(limit, options) === chosen(limit, saved);
    if (isSaved || !needsPro(limit, options)) return [];
    return [{ path: limit.field, message: `${limit.name} needs the Pro plan.` }];
  });
}

/** Everything that was chosen of what a limit is about, as a text to compare. */
function chosen(limit: ProLimit, options: DeploymentOptions): string {
  return JSON.stringify(optionsOf(limit).map((option) => valueAt(options, option)));
}

function optionsOf({ option, dependents = [] }: ProLimit): string[] {
  return [option, ...dependents];
}

/** The same options with every choice that the plan lacks taken back, and the paths of those. */
export function withinPlan(
  plan: Plan,
  options: DeploymentOptions,
): { options: DeploymentOptions; leftOut: string[] } {
  const leftOut = lockedChoices(plan, options).map(({ path }) => path);
  if (leftOut.length === 0) return { options, leftOut };
  const limited = proLimits.flatMap(optionsOf);
  const remaining = Object.entries(options).filter(([option]) => !limited.includes(option));
  return { options: deploymentSchema().parse(Object.fromEntries(remaining)), leftOut };
}
