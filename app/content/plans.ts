/** The plans as /pricing shows them. Prices in US cents; Stripe's prices must say the same. */
export const plans = [
  {
    key: "basic",
    name: "Basic",
    price: "$109.99",
    interval: "month",
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
    price: "$999.99",
    interval: "year",
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
  { key: "monthly", name: "Monthly", priceLabel: "$109.99/month" },
  { key: "yearly", name: "Yearly", priceLabel: "$999/year", savings: "Save over $300" },
] as const;
