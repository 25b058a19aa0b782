import type { RuleName } from "../../../fakes/stripe/rules/rules.ts";
import type { Attempt } from "./attempt.ts";
import { catalogueAttempts } from "./catalogue.ts";
import { checkoutAttempts } from "./checkout.ts";
import { moneyAttempts } from "./money.ts";
import { requestAttempts } from "./requests.ts";
import { scheduleAttempts } from "./schedules.ts";
import { subscriptionAttempts } from "./subscriptions.ts";

/** How each rule is tried that the API alone can try. The others need time, a dashboard or another request. */
export const attempts = {
  ...subscriptionAttempts,
  ...scheduleAttempts,
  ...checkoutAttempts,
  ...moneyAttempts,
  ...catalogueAttempts,
  ...requestAttempts,
} satisfies Partial<Record<RuleName, Attempt>>;
