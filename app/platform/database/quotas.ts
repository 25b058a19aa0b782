import { type AccountPlan, planNames } from "../../content/plans.ts";

/**
 * Limits that are the same for every plan, and limits of the whole site. The database enforces them with its
 * function `site_quota`; test/unit/http/quotas.test.ts compares the two. The limits of each plan are
 * `planQuotas` in app/content/plans.ts.
 */
export const siteQuotas = {
  /** How long an event's id is remembered. The same event sent again after that counts a second time. */
  usageEventsKeptDays: 3,
  usageDaysKeptDays: 400,
  /** How many versions are kept: the newest, of which the one in force is always one. */
  configurationVersions: 100,
  deploymentVersions: 50,
  contactMessagesADay: 200,
  contactMessagesADayOfOne: 20,
  contactMessagesKept: 5_000,
  contactMessagesKeptDays: 365,
} as const;

/** How many tokens for agents one account may have. */
export const maxTokens = 20;

/** The largest options of a deployment, in bytes of JSON. Usual choices take a few hundred bytes. */
export const largestOptions = 5 * 1024;

/** The longest identity in a usage report or with an allowance, in bytes of UTF-8. */
export const maxIdentityBytes = 64;

/** The account or plan that a quota belongs to, for the beginning of a sentence. */
export function whoHasPlan(plan: AccountPlan): string {
  return plan === "none" ? "An account without a plan" : planNames[plan];
}

/** A sentence that says how to get a higher quota. */
export function higherQuotaHint(plan: AccountPlan): string {
  return plan === "pro"
    ? "Write to us on /contact if you need more."
    : "A larger plan has more: see /pricing.";
}
