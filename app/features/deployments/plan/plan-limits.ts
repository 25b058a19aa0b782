import { isEntitled } from "~/features/billing/subscriptions/subscription-words";
import { planQuotas } from "~/platform/database/quotas";
import type { Problem } from "../bundle/bundle-types.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";

export type Plan = "Basic" | "Pro";

/** What an account may do with deployments: only a running plan writes; an ended one still reads. */
export type Entitlement =
  | { kind: "running"; plan: Plan }
  | { kind: "on-hold" }
  | { kind: "ended" }
  | { kind: "none" };

/** How many deployments a plan holds. */
export function allowedDeployments(plan: Plan): number {
  return (plan === "Basic" ? planQuotas.basic : planQuotas.pro).deployments;
}

/** Why a plan that is full takes no further one, and what to do. */
export function fullPlan(plan: Plan): string {
  return plan === "Basic"
    ? "Basic has one deployment, and you have it. Delete it first, or change to Pro for many."
    : `Pro has ${planQuotas.pro.deployments} deployments, and you have them all. Delete one first, or write to us on /contact.`;
}

/** Of several running plans the larger one counts. */
export function entitlementOf(
  subscriptions: readonly { status: string; plan: Plan }[],
): Entitlement {
  const running = subscriptions.filter(isEntitled);
  if (running.length > 0) {
    const plan = running.every((subscription) => subscription.plan === "Basic") ? "Basic" : "Pro";
    return { kind: "running", plan };
  }
  if (subscriptions.some(({ status }) => ["unpaid", "paused"].includes(status))) {
    return { kind: "on-hold" };
  }
  return subscriptions.some(({ status }) => status === "canceled")
    ? { kind: "ended" }
    : { kind: "none" };
}

/**
 * Every choice that Basic does not have, as the path of its field, the name of what it is at the beginning
 * of a sentence, and within a list.
 */
const proChoices: readonly {
  path: string;
  name: string;
  listed: string;
  chosen: (options: DeploymentOptions) => unknown;
}[] = [
  {
    path: "extraDomains",
    name: "Further domains",
    listed: "further domains",
    chosen: ({ extraDomains }) => extraDomains.length > 0 && extraDomains,
  },
  {
    path: "turn.mode",
    name: "A TURN domain of your own",
    listed: "a TURN domain of your own",
    chosen: ({ turn }) => turn.mode === "manual" && turn,
  },
  {
    path: "monitoring",
    name: "Advanced monitoring",
    listed: "advanced monitoring",
    chosen: ({ monitoring }) => monitoring !== "basic" && monitoring,
  },
  {
    path: "ingress",
    name: "Ingress",
    listed: "Ingress",
    chosen: ({ ingress, whipDomain }) => ingress !== "none" && [ingress, whipDomain],
  },
  {
    path: "recording.kind",
    name: "Egress, which records,",
    listed: "recording",
    chosen: ({ recording }) => recording.kind !== "none" && recording,
  },
  {
    path: "backups.frequency",
    name: "Automatic backups",
    listed: "automatic backups",
    chosen: ({ backups }) => backups.frequency !== "none" && backups,
  },
];

/** What options have of Pro, in words for a list. */
export function proChoicesOf(options: DeploymentOptions): string[] {
  return proChoices.flatMap(({ listed, chosen }) => (chosen(options) ? [listed] : []));
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
  return proChoices.flatMap(({ path, name, chosen }) => {
    const choice = chosen(options);
    if (!choice || (saved && JSON.stringify(choice) === JSON.stringify(chosen(saved)))) return [];
    return [{ path, message: `${name} needs the Pro plan.` }];
  });
}

/** The same options with every choice that the plan lacks taken back, and the paths of those. */
export function withinPlan(
  plan: Plan,
  options: DeploymentOptions,
): { options: DeploymentOptions; leftOut: string[] } {
  const leftOut = lockedChoices(plan, options).map(({ path }) => path);
  if (leftOut.length === 0) return { options, leftOut };
  const { whipDomain: _, ...rest } = options;
  const reduced: DeploymentOptions = {
    ...rest,
    extraDomains: [],
    turn: { mode: "auto" },
    monitoring: "basic",
    ingress: "none",
    recording: { kind: "none" },
    backups: { frequency: "none", target: { kind: "machine" } },
  };
  return { options: reduced, leftOut };
}
