import Stripe from "stripe";
import { newId, now, onTheWire, type StripeState } from "../state.ts";

/** A product as Stripe shows it. */
export function makeProduct(
  given: Pick<Stripe.Product, "name"> & Partial<Stripe.Product>,
): Stripe.Product {
  const created = now();
  return onTheWire<Stripe.Product>({
    id: newId("prod", 14),
    object: "product",
    active: true,
    created,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: "service",
    unit_label: null,
    updated: created,
    url: null,
    ...given,
  });
}

type PriceTerms = Pick<Stripe.Price, "product" | "currency"> & {
  unit_amount: number;
  interval: Stripe.Price.Recurring["interval"] | null;
  intervalCount?: number;
};

/** A price as Stripe shows it; without an interval it is charged once. */
export function makePrice(terms: PriceTerms, given: Partial<Stripe.Price> = {}): Stripe.Price {
  return onTheWire<Stripe.Price>({
    id: newId("price"),
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: now(),
    currency: terms.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: terms.product,
    recurring: terms.interval && {
      interval: terms.interval,
      interval_count: terms.intervalCount ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: terms.interval ? "recurring" : "one_time",
    unit_amount: terms.unit_amount,
    unit_amount_decimal: Stripe.Decimal.from(terms.unit_amount),
    ...given,
  });
}

/** The older `plan` form of a recurring price, which subscription items still carry. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return onTheWire<Stripe.Plan>({
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? "month",
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  });
}

/** The price ids that the site is configured with. */
export type SeededPrices = {
  basic: string;
  pro: string;
  monthly: string;
  yearly: string;
  basicYearly?: string;
  proMonthly?: string;
};

/** Puts the products and prices of the site into the catalogue, if they are not there. */
export function seedCatalogue(state: StripeState, ids: SeededPrices): void {
  const basic = "prod_local_basic";
  const pro = "prod_local_pro";
  state.products[basic] ??= makeProduct({ id: basic, name: "Basic", metadata: { plan: "basic" } });
  state.products[pro] ??= makeProduct({ id: pro, name: "Pro", metadata: { plan: "pro" } });
  const seeds = [
    { key: "basic", id: ids.basic, product: basic, interval: "month", unit_amount: 10999 },
    { key: "pro", id: ids.pro, product: pro, interval: "year", unit_amount: 99999 },
    { key: "monthly", id: ids.monthly, product: basic, interval: "month", unit_amount: 10999 },
    { key: "yearly", id: ids.yearly, product: pro, interval: "year", unit_amount: 99900 },
    {
      key: "basicYearly",
      id: ids.basicYearly,
      product: basic,
      interval: "year",
      unit_amount: 89999,
    },
    { key: "proMonthly", id: ids.proMonthly, product: pro, interval: "month", unit_amount: 14999 },
  ] as const;
  for (const { key, id, ...terms } of seeds)
    if (id) state.prices[id] ??= makePrice({ ...terms, currency: "usd" }, { id, lookup_key: key });
}
