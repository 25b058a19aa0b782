import type { Rule } from "./rule.ts";

/** What Stripe refuses of a subscription and of the preview of its invoices. */
export const subscriptionRules = {
  "anchor-now-with-proration-date": {
    operation: "POST /v1/subscriptions/:id",
    condition: "`proration_date` together with `billing_cycle_anchor` of now",
    status: 400,
    param: "proration_date",
    message: "You cannot specify `proration_date` when `billing_cycle_anchor=now`.",
    source: "gitroomhq/postiz-app pull request 1904; a sandbox run of version 2026-09-30",
    date: "2026-10-08",
    evidence: "reported",
  },
  "preview-anchor-now-with-proration-date": {
    operation: "POST /v1/invoices/create_preview",
    condition: "`proration_date` together with `billing_cycle_anchor` of now",
    status: 400,
    param: "subscription_details[proration_date]",
    message: "You cannot specify `proration_date` when `billing_cycle_anchor=now`.",
    source: "gitroomhq/postiz-app pull request 1904; a sandbox run of version 2026-09-30",
    date: "2026-10-08",
    evidence: "reported",
  },
} satisfies Record<string, Rule>;
