export const offerKeys = ["basic", "pro", "monthly", "yearly"] as const;
export type OfferKey = (typeof offerKeys)[number];

/** What somebody buys with one button: a plan at a price. */
export type Offer = {
  plan: "basic" | "pro";
  /** In cents. */
  amount: number;
  currency: "usd";
  interval: "month" | "year";
};

/**
 * What is sold: two offers on /pricing, two in the sign-up dialog. The one place of amounts: screens,
 * `npm run stripe:setup` and every check of what Stripe is about to charge read it.
 */
export const offers: Readonly<Record<OfferKey, Offer>> = {
  basic: { plan: "basic", amount: 10_999, currency: "usd", interval: "month" },
  pro: { plan: "pro", amount: 99_999, currency: "usd", interval: "year" },
  monthly: { plan: "basic", amount: 10_999, currency: "usd", interval: "month" },
  yearly: { plan: "pro", amount: 99_900, currency: "usd", interval: "year" },
};

/** An offer's amount as people read it: "$109.99", or "$999" without cents that are none. */
function priceOf({ amount }: Offer): string {
  return `$${(amount / 100).toFixed(2).replace(/\.00$/, "")}`;
}

function priceLabel(offer: Offer): string {
  return `${priceOf(offer)}/${offer.interval}`;
}

/** What is said beside the prices, by the operator's setting: off, included or added. */
export const taxWords = {
  off: "No tax is added.",
  included: "Tax is included.",
  added: "Tax is added at the checkout, where it applies.",
} as const;

/** The plans as /pricing shows them. */
export const plans = [
  {
    key: "basic",
    name: "Basic",
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
    name: "Pro",
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

/** The two options of the sign-up dialog. The first is preselected. */
export const planOptions = [
  { key: "monthly", name: "Monthly", priceLabel: priceLabel(offers.monthly) },
  {
    key: "yearly",
    name: "Yearly",
    priceLabel: priceLabel(offers.yearly),
    savings: "Save over $300",
  },
] as const;
