import type Stripe from "stripe";
import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest, noSuch } from "../errors.ts";
import { pageOf } from "../lists.ts";
import { makePrice, makeProduct } from "../objects/catalogue.ts";
import { flag, integer, metadata, paging, parameters, text } from "../parameters.ts";
import { refusalOf } from "../rules/rules.ts";
import { idOf, now, onTheWire } from "../state.ts";
import { type Endpoint, endpoint, givenFields, mergedMetadata } from "./endpoint.ts";

const productDetails = {
  active: flag.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  statement_descriptor: text.optional(),
  tax_code: text.optional(),
  unit_label: text.optional(),
  url: text.optional(),
};

function productOf(account: Account, id: string, param?: string): Stripe.Product {
  const product = account.state.products[id];
  if (!product) throw noSuch("product", id, param);
  return product;
}

/** The price, unless there is none. */
export function priceOf(account: Account, id: string, param?: string): Stripe.Price {
  const price = account.state.prices[id];
  if (!price) throw noSuch("price", id, param);
  return price;
}

/** `/v1/products` */
export const productEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/products",
    parameters({ ...productDetails, id: text.optional(), name: text }),
    ({ account, params }): Stripe.Product => {
      const { expand: _, metadata: given, name, ...fields } = params;
      if (fields.id && account.state.products[fields.id])
        throw refusalOf("second-product-of-an-id");
      const product = makeProduct({
        ...givenFields(fields),
        name,
        metadata: mergedMetadata({}, given),
      });
      account.state.products[product.id] = product;
      account.record("product.created", product);
      return product;
    },
  ),
  endpoint(
    "GET",
    "/v1/products",
    parameters({ ...paging, active: flag.optional(), ids: z.array(text).optional() }),
    ({ account, params }): Stripe.ApiList<Stripe.Product> => {
      const products = Object.values(account.state.products).filter(
        (product) =>
          (params.active === undefined || product.active === params.active) &&
          (params.ids === undefined || params.ids.includes(product.id)),
      );
      return pageOf("/v1/products", products, params);
    },
  ),
  endpoint("GET", "/v1/products/:id", parameters({}), ({ account, id }) => productOf(account, id)),
  endpoint(
    "POST",
    "/v1/products/:id",
    parameters({ ...productDetails, name: text.optional(), default_price: text.optional() }),
    ({ account, params, id }): Stripe.Product => {
      const product = productOf(account, id);
      const before = onTheWire(product);
      const { expand: _, metadata: given, ...fields } = params;
      if (fields.default_price) priceOf(account, fields.default_price, "default_price");
      Object.assign(product, givenFields(fields), { updated: now() });
      product.metadata = mergedMetadata(product.metadata, given);
      account.record("product.updated", product, before);
      return product;
    },
  ),
  endpoint(
    "DELETE",
    "/v1/products/:id",
    parameters({}),
    ({ account, id }): Stripe.DeletedProduct => {
      productOf(account, id);
      if (Object.values(account.state.prices).some((price) => idOf(price.product) === id))
        throw refusalOf("product-with-prices-deleted");
      delete account.state.products[id];
      return { id, object: "product", deleted: true };
    },
  ),
];

const interval = z.enum(["day", "week", "month", "year"]);

/** Only one price may carry a lookup key; another may take it over when it asks to. */
function claimLookupKey(account: Account, key: string, owner: string, mayTake: boolean): void {
  const holder = Object.values(account.state.prices).find(
    (price) => price.lookup_key === key && price.id !== owner,
  );
  if (!holder) return;
  if (!mayTake) throw refusalOf("second-price-of-a-lookup-key", { price: holder.id });
  const before = onTheWire(holder);
  holder.lookup_key = null;
  account.record("price.updated", holder, before);
}

/** `/v1/prices` */
export const priceEndpoints: Endpoint[] = [
  endpoint(
    "POST",
    "/v1/prices",
    parameters({
      active: flag.optional(),
      currency: text,
      lookup_key: text.optional(),
      metadata: metadata.optional(),
      nickname: text.optional(),
      product: text.optional(),
      product_data: z
        .strictObject({ name: text, metadata: metadata.optional(), id: text.optional() })
        .optional(),
      recurring: z
        .strictObject({
          interval,
          interval_count: integer.optional(),
          usage_type: z.enum(["licensed"]).optional(),
        })
        .optional(),
      tax_behavior: z.enum(["exclusive", "inclusive", "unspecified"]).optional(),
      transfer_lookup_key: flag.optional(),
      unit_amount: integer,
    }),
    ({ account, params }): Stripe.Price => {
      const { expand: _, metadata: given, product, product_data, recurring, ...terms } = params;
      const { currency, unit_amount, transfer_lookup_key, ...fields } = terms;
      if (!product && !product_data)
        throw invalidRequest("Missing required param: product.", "product", "parameter_missing");
      const owner = product
        ? productOf(account, product, "product")
        : makeProduct({ name: product_data?.name ?? "" });
      account.state.products[owner.id] = owner;
      const price = makePrice(
        {
          product: owner.id,
          currency: currency.toLowerCase(),
          unit_amount,
          interval: recurring?.interval ?? null,
          intervalCount: recurring?.interval_count ?? 1,
        },
        { ...givenFields(fields), metadata: mergedMetadata({}, given) },
      );
      if (price.lookup_key)
        claimLookupKey(account, price.lookup_key, price.id, transfer_lookup_key ?? false);
      account.state.prices[price.id] = price;
      account.record("price.created", price);
      return price;
    },
  ),
  endpoint(
    "GET",
    "/v1/prices",
    parameters({
      ...paging,
      active: flag.optional(),
      currency: text.optional(),
      lookup_keys: z.array(text).max(10).optional(),
      product: text.optional(),
      recurring: z.strictObject({ interval: interval.optional() }).optional(),
      type: z.enum(["one_time", "recurring"]).optional(),
    }),
    ({ account, params }): Stripe.ApiList<Stripe.Price> => {
      const fits = <Value>(filter: Value | undefined, value: Value) =>
        filter === undefined || filter === value;
      const prices = Object.values(account.state.prices).filter(
        (price) =>
          fits(params.active, price.active) &&
          fits(params.currency, price.currency) &&
          fits<unknown>(params.product, price.product) &&
          fits<string>(params.type, price.type) &&
          fits<unknown>(params.recurring?.interval, price.recurring?.interval) &&
          (params.lookup_keys === undefined || params.lookup_keys.includes(price.lookup_key ?? "")),
      );
      return pageOf("/v1/prices", prices, params);
    },
  ),
  endpoint("GET", "/v1/prices/:id", parameters({}), ({ account, id }) => priceOf(account, id)),
  endpoint(
    "POST",
    "/v1/prices/:id",
    parameters({
      active: flag.optional(),
      lookup_key: text.optional(),
      metadata: metadata.optional(),
      nickname: text.optional(),
      tax_behavior: z.enum(["exclusive", "inclusive", "unspecified"]).optional(),
      transfer_lookup_key: flag.optional(),
    }),
    ({ account, params, id }): Stripe.Price => {
      const price = priceOf(account, id);
      const before = onTheWire(price);
      const { expand: _, metadata: given, transfer_lookup_key, ...fields } = params;
      if (fields.tax_behavior !== undefined && fields.tax_behavior !== price.tax_behavior)
        if (price.tax_behavior === "inclusive" || price.tax_behavior === "exclusive")
          throw refusalOf("tax-behavior-changed");
      const product = account.state.products[idOf(price.product)];
      if (fields.active === false && price.active && product?.default_price === id)
        throw refusalOf("default-price-archived");
      if (fields.lookup_key)
        claimLookupKey(account, fields.lookup_key, id, transfer_lookup_key ?? false);
      Object.assign(price, givenFields(fields));
      price.metadata = mergedMetadata(price.metadata, given);
      account.record("price.updated", price, before);
      return price;
    },
  ),
];
