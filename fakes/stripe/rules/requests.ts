import type { Rule } from "./rule.ts";

const errors = "docs.stripe.com/error-low-level";

/** What Stripe refuses of any request, whatever it asks for. */
export const requestRules = {
  "key-with-other-parameters": {
    operation: "POST /v1/customers",
    condition: "an idempotency key that was used with other parameters",
    status: 400,
    type: "idempotency_error",
    message:
      "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '{key}' if you meant to execute a different request.",
    source: errors,
    date: "2026-11-28",
    evidence: "documented",
  },
  "key-of-another-endpoint": {
    operation: "POST /v1/products",
    condition: "an idempotency key that was used at another path",
    status: 400,
    type: "idempotency_error",
    message:
      "Keys for idempotent requests can only be used for the same endpoint they were first used for ('{first}' vs '{now}'). Try using a key other than '{key}' if you meant to execute a different request.",
    source: "met in test mode by several public projects",
    date: "2026-08-15",
    evidence: "reported",
  },
  "key-of-a-refusal": {
    operation: "POST /v1/subscriptions",
    condition:
      "the key of a request that was refused after it had begun, also when the reason is gone",
    status: 400,
    message: "{refusal}",
    source: "docs.stripe.com/api/idempotent_requests",
    date: "2026-11-28",
    evidence: "documented",
  },
  "key-in-use": {
    operation: "POST /v1/customers",
    condition: "an idempotency key whose first request is under way",
    status: 409,
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message:
      "There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): {key}. Please try again later.",
    source: errors,
    date: "2026-11-28",
    evidence: "documented",
  },
  "key-that-is-too-long": {
    operation: "POST /v1/customers",
    condition: "an idempotency key above 255 characters",
    status: 400,
    type: "idempotency_error",
    message: "Idempotency keys can be up to 255 characters long.",
    source: "docs.stripe.com/api/idempotent_requests",
    date: "2026-11-28",
    evidence: "unconfirmed",
  },
  "rate-limit": {
    operation: "GET /v1/customers",
    condition: "more requests a second than the account may send",
    status: 429,
    code: "rate_limit",
    message:
      "Request rate limit exceeded. Learn more about rate limits at https://stripe.com/docs/rate-limits.",
    source: "docs.stripe.com/rate-limits",
    date: "2026-11-28",
    evidence: "documented",
  },
  "lock-timeout": {
    operation: "POST /v1/customers",
    condition: "another request holds the object for too long",
    status: 429,
    code: "lock_timeout",
    message:
      "This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate. For more details, see https://stripe.com/docs/rate-limits#object-lock-timeouts.",
    source: "docs.stripe.com/rate-limits",
    date: "2026-11-28",
    evidence: "documented",
  },
  "list-with-two-cursors": {
    operation: "GET /v1/invoices",
    condition: "`starting_after` together with `ending_before`",
    status: 400,
    message: "You may only specify one of these parameters: ending_before, starting_after.",
    source: "docs.stripe.com/api/pagination",
    date: "2026-11-28",
    evidence: "documented",
  },
  "expansion-that-is-too-deep": {
    operation: "GET /v1/subscriptions",
    condition: "an `expand` of more than four levels; `data` of a list is one",
    status: 400,
    code: "property_expansion_max_depth",
    param: "expand",
    message: "You cannot expand more than 4 levels of a property. Property: {property}",
    source: "met in live mode by several public projects",
    date: "2026-09-01",
    evidence: "reported",
  },
  "expansion-of-nothing": {
    operation: "GET /v1/customers",
    condition: "an `expand` of a property that cannot be expanded",
    status: 400,
    param: "expand",
    message:
      "This property cannot be expanded ({property}). You may want to try expanding 'data.{property}' if this is a list.",
    source: "docs.stripe.com/api/expanding_objects",
    date: "2026-11-28",
    evidence: "documented",
  },
  "version-that-is-none": {
    operation: "GET /v1/customers",
    condition: "a `Stripe-Version` that is no date and name",
    status: 400,
    message: "Invalid Stripe API version: {version}",
    source: "met in live mode by several public projects",
    date: "2026-09-01",
    evidence: "reported",
  },
} satisfies Record<string, Rule>;
