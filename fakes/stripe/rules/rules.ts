import { StripeRefusal } from "../errors.ts";
import { catalogueRules } from "./catalogue.ts";
import { checkoutRules } from "./checkout.ts";
import { moneyRules } from "./money.ts";
import { requestRules } from "./requests.ts";
import type { Rule } from "./rule.ts";
import { scheduleRules } from "./schedules.ts";
import { subscriptionRules } from "./subscriptions.ts";

/** Every rule between parameters, states and limits that the fake enforces. */
export const rules = {
  ...subscriptionRules,
  ...scheduleRules,
  ...checkoutRules,
  ...moneyRules,
  ...catalogueRules,
  ...requestRules,
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

/** The refusal of a rule. `values` fill the names in its message; `param` takes the place of the rule's own. */
export function refusalOf(
  name: RuleName,
  { param, ...values }: Record<string, string | number | undefined> = {},
): StripeRefusal {
  const rule: Rule = rules[name];
  const filled = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, word: string) => String(values[word]));
  const named = param ?? rule.param;
  return new StripeRefusal(rule.status, {
    type: rule.type ?? "invalid_request_error",
    message: filled(rule.message),
    ...(rule.code ? { code: rule.code } : {}),
    ...(named === undefined ? {} : { param: filled(String(named)) }),
  });
}
