import { type OfferKey, offers, priceVariables } from "../../../app/content/plans.ts";
import { variable } from "../../support/site/variables.ts";

/** The same in every answer: a plan that has changed since it was shown is not changed by the Worker. */
const current_period_start = Math.floor(Date.now() / 1_000) - 86_400;

/**
 * stripe-mock's answers, made to fit where the Worker would stop at them: its prices are our offers. With
 * an offer given its one subscription is a running plan that nobody has changed, `but` for these fields.
 */
export function fitting(body: string, offer?: OfferKey, but: object = {}): string {
  const plan = offer && { ...planWith(offer), ...but };
  return JSON.stringify(
    JSON.parse(body, (_, value: unknown) => {
      if (!isObject(value)) return value;
      if (value.object === "price") return { ...value, ...priceOf(String(value.id)) };
      return value.object === "subscription" ? { ...value, ...plan } : value;
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function configured(offer: OfferKey): string {
  return variable(priceVariables[offer]);
}

/** The terms of a configured price; nothing for another. */
function priceOf(id: string): object | undefined {
  const [offer] = Object.keys(offers).filter((each) => configured(each as OfferKey) === id);
  if (!offer) return;
  const { amount, currency, interval } = offers[offer as OfferKey];
  const recurring = { interval, interval_count: 1, usage_type: "licensed" };
  const terms = {
    active: true,
    type: "recurring",
    billing_scheme: "per_unit",
    currency,
    recurring,
  };
  return { ...terms, unit_amount: amount, transform_quantity: null, lookup_key: null };
}

function planWith(offer: OfferKey): object {
  const price = { object: "price", product: "prod_1", id: configured(offer) };
  const item = {
    ...{ object: "subscription_item", id: "si_1", quantity: 1 },
    price: { ...price, ...priceOf(price.id) },
    current_period_start,
    current_period_end: current_period_start + 28 * 86_400,
  };
  return {
    ...{ id: "sub_1", status: "active", cancel_at: null, cancel_at_period_end: false },
    ...{ schedule: null, pending_update: null, discounts: [], latest_invoice: null },
    ...{ pause_collection: null, metadata: {} },
    ...{ currency: "usd", collection_method: "charge_automatically" },
    items: { object: "list", has_more: false, url: "/v1/subscription_items", data: [item] },
  };
}
