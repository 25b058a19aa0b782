import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest } from "../errors.ts";
import { isOver } from "../objects/subscriptions.ts";
import { integer, text, webAddress } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { priceOf } from "./catalogue.ts";
import { subscriptionOf } from "./subscriptions.ts";

const aSubscription = z.strictObject({ subscription: text });

/** One thing to do in the portal, and where it leads afterwards. */
export const flowData = z.strictObject({
  after_completion: z
    .strictObject({
      hosted_confirmation: z.strictObject({ custom_message: text.optional() }).optional(),
      redirect: z.strictObject({ return_url: webAddress }).optional(),
      type: z.enum(["hosted_confirmation", "portal_homepage", "redirect"]),
    })
    .optional(),
  subscription_cancel: aSubscription.optional(),
  subscription_update: aSubscription.optional(),
  subscription_update_confirm: z
    .strictObject({
      items: z
        .array(z.strictObject({ id: text, price: text.optional(), quantity: integer.optional() }))
        .length(1),
      subscription: text,
    })
    .optional(),
  type: z.enum([
    "customer_update",
    "payment_method_update",
    "subscription_cancel",
    "subscription_update",
    "subscription_update_confirm",
  ]),
});

/** The flow as the session shows it; refused where the configuration does not allow what it is for. */
export function checkedFlow(
  account: Account,
  customer: string,
  { features }: Stripe.BillingPortal.Configuration,
  given: z.output<typeof flowData>,
): Stripe.BillingPortal.Session.Flow {
  const { type, after_completion: after } = given;
  const feature = type === "subscription_update_confirm" ? "subscription_update" : type;
  if (!features[feature].enabled)
    throw refusalOf("portal-flow-that-is-off", { feature, flow: type });
  if (after?.type === "redirect" && !after.redirect)
    throw invalidRequest(
      "Missing required param: flow_data[after_completion][redirect].",
      "flow_data[after_completion][redirect]",
      "parameter_missing",
    );
  const named =
    type === "customer_update" || type === "payment_method_update" ? undefined : given[type];
  if (type.startsWith("subscription") && !named)
    throw invalidRequest(
      `Missing required param: flow_data[${type}].`,
      `flow_data[${type}]`,
      "parameter_missing",
    );
  if (named) checkSubscription(account, customer, named.subscription, type);
  const confirm = given.subscription_update_confirm;
  for (const { price } of confirm?.items ?? [])
    if (price) priceOf(account, price, "flow_data[subscription_update_confirm][items][0][price]");
  return {
    after_completion: {
      hosted_confirmation:
        after?.type === "hosted_confirmation"
          ? { custom_message: after.hosted_confirmation?.custom_message ?? null }
          : null,
      redirect: after?.redirect ?? null,
      type: after?.type ?? "portal_homepage",
    },
    customer_update: type === "customer_update" ? {} : null,
    subscription_cancel:
      type === "subscription_cancel" && named
        ? { retention: null, subscription: named.subscription }
        : null,
    subscription_pause: null,
    subscription_update:
      type === "subscription_update" && named ? { subscription: named.subscription } : null,
    subscription_update_confirm: confirm
      ? {
          discounts: null,
          items: confirm.items.map(({ id, price, quantity }) => ({
            id,
            price: price ?? null,
            ...(quantity === undefined ? {} : { quantity }),
          })),
          subscription: confirm.subscription,
        }
      : null,
    type,
  };
}

function checkSubscription(account: Account, customer: string, id: string, type: string): void {
  const param = `flow_data[${type}][subscription]`;
  const subscription = subscriptionOf(account, id, param);
  if (subscription.customer !== customer)
    throw invalidRequest("The subscription does not belong to this customer.", param);
  if (isOver(subscription) || (type === "subscription_cancel" && subscription.cancel_at_period_end))
    throw invalidRequest("This subscription is already set to be canceled.", param);
}
