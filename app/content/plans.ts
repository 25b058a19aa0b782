/** The plans that Stripe sells, from the smaller to the larger. Enterprise is agreed upon by mail. */
export const planKeys = ["basic", "pro"] as const;
export type PlanKey = (typeof planKeys)[number];

/** The plan of an account; "none" for an account without one. The database uses the same three words. */
export type AccountPlan = PlanKey | "none";

/** The names of the plans, as people read them. */
export const planNames = { basic: "Basic", pro: "Pro" } as const satisfies Record<PlanKey, string>;
export type PlanName = (typeof planNames)[PlanKey];

/**
 * What an account may send and keep, by its plan. The database enforces these figures with its function `plan_quota`;
 * test/unit/http/quotas.test.ts compares the two. The site enforces the numbers of deployments and members. The
 * servers Worker, to which the site sends the plan's number, enforces that of servers: machines that report.
 * docs/decisions/0027 gives the reasons for the figures, and the size of an account at all its limits.
 */
export const planQuotas = {
  none: {
    usageEventsADay: 1_000,
    usageIdentitiesADay: 10,
    tokenAllowances: 20,
    deployments: 0,
    servers: 0,
    members: 3,
  },
  basic: {
    usageEventsADay: 10_000,
    usageIdentitiesADay: 50,
    tokenAllowances: 200,
    deployments: 1,
    servers: 1,
    members: 10,
  },
  pro: {
    usageEventsADay: 20_000,
    usageIdentitiesADay: 100,
    tokenAllowances: 1_000,
    deployments: 20,
    servers: 500,
    members: 100,
  },
} as const satisfies Record<AccountPlan, Record<string, number>>;

/** What is sold on the plan page of the console alone, beside the plans of /pricing: their other rhythms. */
export const furtherOffers = ["basicYearly", "proMonthly"] as const;

export const offerKeys = ["basic", "pro", "monthly", "yearly", ...furtherOffers] as const;
export type OfferKey = (typeof offerKeys)[number];

/** What somebody buys with one button: a plan at a price. */
export type Offer = {
  plan: PlanKey;
  /** In US cents: 10999 is $109.99. */
  amount: number;
  currency: "usd";
  interval: "month" | "year";
};

/**
 * The offers: `basic` and `pro` on /pricing, `monthly` and `yearly` in the sign-up dialog, the others on the plan page
 * of the console. Amounts are written here only: the screens, `npm run stripe:setup`, `npm run smoke` and the check
 * before each checkout read them from here.
 */
export const offers: Readonly<Record<OfferKey, Offer>> = {
  basic: { plan: "basic", amount: 10_999, currency: "usd", interval: "month" },
  pro: { plan: "pro", amount: 99_999, currency: "usd", interval: "year" },
  monthly: { plan: "basic", amount: 10_999, currency: "usd", interval: "month" },
  yearly: { plan: "pro", amount: 99_900, currency: "usd", interval: "year" },
  basicYearly: { plan: "basic", amount: 89_999, currency: "usd", interval: "year" },
  proMonthly: { plan: "pro", amount: 14_999, currency: "usd", interval: "month" },
};

/** The environment variable that holds the id of each offer's price at Stripe. */
export const priceVariables = {
  basic: "STRIPE_PRICE_BASIC",
  pro: "STRIPE_PRICE_PRO",
  monthly: "STRIPE_PRICE_MONTHLY",
  yearly: "STRIPE_PRICE_YEARLY",
  basicYearly: "STRIPE_PRICE_BASIC_YEARLY",
  proMonthly: "STRIPE_PRICE_PRO_MONTHLY",
} as const satisfies Record<OfferKey, string>;

/** The lookup key under which `npm run stripe:setup` finds the price of an offer again. */
export function lookupKeyOf(offer: OfferKey): string {
  return `livekit_deploy_${offer.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/** An offer's amount as people read it: "$109.99", and "$999" for whole dollars. */
function priceOf({ amount }: Offer): string {
  return `$${(amount / 100).toFixed(2).replace(/\.00$/, "")}`;
}

/** With what it is paid for: "$999.99/year". */
export function priceLabel(offer: Offer): string {
  return `${priceOf(offer)}/${offer.interval}`;
}

/** The sentence about tax beside the prices, for each value of the setting STRIPE_AUTOMATIC_TAX. */
export const taxWords = {
  off: "No tax is added.",
  included: "Tax is included.",
  added: "Tax is added at the checkout, where it applies.",
} as const;

/** The plans as /pricing shows them. */
export const plans = [
  {
    key: "basic",
    name: planNames.basic,
    price: priceOf(offers.basic),
    interval: offers.basic.interval,
    description: "One server, set up properly.",
    features: [
      "Single server deployment",
      "Automated SSL/TLS",
      "Basic monitoring",
      "Email support",
      "Community access",
    ],
    notIncluded: ["Ingress/egress support", "Automatic backups"],
  },
  {
    key: "pro",
    name: planNames.pro,
    price: priceOf(offers.pro),
    interval: offers.pro.interval,
    description: "Several servers, media in and out, backups.",
    features: [
      "Multiple server deployments",
      "Advanced monitoring",
      "Priority support",
      "Custom domain setup",
      "Ingress/egress support",
      "Automatic backups",
    ],
    notIncluded: ["SLA guarantees"],
  },
  {
    key: "enterprise",
    name: "Enterprise",
    price: "Custom pricing",
    description: "Your requirements, our people.",
    features: [
      "Custom deployment solutions",
      "24/7 support",
      "Dedicated account manager",
      "Custom integration support",
      "SLA guarantees",
      "Training sessions",
    ],
    notIncluded: [],
  },
] as const;

function planSold(offer: Offer): string {
  const plan = plans.find(({ key }) => key === offer.plan);
  return plan ? `${plan.name}: ${plan.description}` : "";
}

/** The two options of the sign-up dialog. The first is preselected. */
export const planOptions = [
  {
    key: "monthly",
    name: "Monthly",
    plan: planSold(offers.monthly),
    priceLabel: priceLabel(offers.monthly),
  },
  {
    key: "yearly",
    name: "Yearly",
    plan: planSold(offers.yearly),
    priceLabel: priceLabel(offers.yearly),
    savings: "Save over $300",
  },
] as const;

/** What a pause means for servers and deployments, after "and" or "Then". */
export const pausedWords =
  "your servers run on, but nobody watches them: no alerts, no incidents. Your deployments can be read and downloaded, but not changed.";
