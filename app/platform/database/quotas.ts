/** Which plan runs for an account, as the database's `account_plan` says it. */
export type RunningPlan = "none" | "basic" | "pro";

/**
 * What an account may send and keep, by its plan. The database enforces what is in its `plan_quota` and
 * `site_quota`, which test/unit/http/quotas.test.ts holds equal to this; the rest is enforced where it is read here.
 * docs/decisions/0027 says why these figures, and what an account at all its limits weighs.
 */
export const planQuotas = {
  none: { usageEventsADay: 1_000, usageIdentitiesADay: 10, tokenAllowances: 20, deployments: 0 },
  basic: {
    usageEventsADay: 10_000,
    usageIdentitiesADay: 50,
    tokenAllowances: 200,
    deployments: 1,
  },
  pro: {
    usageEventsADay: 20_000,
    usageIdentitiesADay: 100,
    tokenAllowances: 1_000,
    deployments: 20,
  },
} as const satisfies Record<RunningPlan, Record<string, number>>;

/** The same for every plan, and what belongs to no account. */
export const siteQuotas = {
  /** An event's id is remembered for so long: whatever is sent again later counts again. */
  usageEventsKeptDays: 3,
  usageDaysKeptDays: 400,
  /** The newest so many; the one in force is among them. */
  configurationVersions: 100,
  deploymentVersions: 50,
  contactMessagesADay: 200,
  contactMessagesADayOfOne: 20,
  contactMessagesKept: 5_000,
  contactMessagesKeptDays: 365,
} as const;

/** Tokens for agents of one account. */
export const maxTokens = 20;

/** Options of a deployment, as JSON. What a person can choose takes a few hundred bytes. */
export const largestOptions = 5 * 1024;

/** An identity in a report or with an allowance, in bytes of UTF-8. */
export const longestIdentity = 64;

const planWords: Record<RunningPlan, string> = {
  none: "An account without a plan",
  basic: "Basic",
  pro: "Pro",
};

/** Who has a quota, at the beginning of a sentence. */
export function whoHasPlan(plan: RunningPlan): string {
  return planWords[plan];
}

/** How to get more. */
export function wayToMore(plan: RunningPlan): string {
  return plan === "pro"
    ? "Write to us on /contact if you need more."
    : "A larger plan has more: see /pricing.";
}
