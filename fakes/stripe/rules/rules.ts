import { StripeRefusal } from "../errors.ts";
import type { Rule } from "./rule.ts";
import { subscriptionRules } from "./subscriptions.ts";

/** Every rule between parameters, states and limits that the fake enforces. */
export const rules = { ...subscriptionRules } satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

/** The refusal of a rule. `values` fill the names in its message; `param` takes the place of the rule's own. */
export function refusalOf(
  name: RuleName,
  { param, ...values }: Record<string, string | number | undefined> = {},
): StripeRefusal {
  const rule: Rule = rules[name];
  const named = param === undefined ? rule.param : String(param);
  return new StripeRefusal(rule.status, {
    type: rule.type ?? "invalid_request_error",
    message: rule.message.replaceAll(/\{(\w+)\}/g, (_, word: string) => String(values[word])),
    ...(rule.code ? { code: rule.code } : {}),
    ...(named ? { param: named } : {}),
  });
}
