import type { catalogueRules } from "../../../fakes/stripe/rules/catalogue.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Attempt } from "./attempt.ts";

async function newPrice({ stripe, product, made }: Sandbox, given: object = {}) {
  const { id } = await stripe.prices.create({
    product,
    currency: "usd",
    unit_amount: 1_000,
    recurring: { interval: "month" },
    ...given,
  });
  return made(id, (each) => stripe.prices.update(each, { active: false }));
}

/** `seventeenth-webhook-endpoint` would fill the account. */
export const catalogueAttempts = {
  "second-product-of-an-id": async (sandbox) => {
    const { products } = sandbox.stripe;
    const make = async (id: string) => {
      await products.create({ id, name: id });
      sandbox.made(id, (each) => products.del(each));
    };
    const [first, other] = [sandbox.name(), sandbox.name()];
    await make(first);
    return { refused: () => make(first), taken: () => make(other) };
  },
  "product-with-prices-deleted": async (sandbox) => {
    const { products } = sandbox.stripe;
    const empty = await products.create({ name: sandbox.name() });
    return { refused: () => products.del(sandbox.product), taken: () => products.del(empty.id) };
  },
  "second-price-of-a-lookup-key": async (sandbox) => {
    const [key, other] = [sandbox.name(), sandbox.name()];
    await newPrice(sandbox, { lookup_key: key });
    return {
      refused: () => newPrice(sandbox, { lookup_key: key }),
      taken: () => newPrice(sandbox, { lookup_key: other }),
    };
  },
  "tax-behavior-changed": async (sandbox) => {
    const { prices } = sandbox.stripe;
    const added = await newPrice(sandbox, { tax_behavior: "exclusive" });
    const open = await newPrice(sandbox);
    return {
      refused: () => prices.update(added, { tax_behavior: "inclusive" }),
      taken: () => prices.update(open, { tax_behavior: "inclusive" }),
    };
  },
  "default-price-archived": async (sandbox) => {
    const { prices, products } = sandbox.stripe;
    const [first, other] = [await newPrice(sandbox), await newPrice(sandbox)];
    await products.update(sandbox.product, { default_price: first });
    sandbox.made(sandbox.product, (id) => products.update(id, { default_price: other }));
    return {
      refused: () => prices.update(first, { active: false }),
      taken: () => prices.update(other, { active: false }),
    };
  },
  "version-of-an-endpoint-changed": async ({ stripe }) => {
    const { webhookEndpoints } = stripe;
    const url = "https://example.com/check";
    const { id } = await webhookEndpoints.create({ url, enabled_events: ["invoice.paid"] });
    const version: object = { api_version: "2026-09-30.dahlia" };
    return {
      refused: () => webhookEndpoints.update(id, version),
      taken: async () => {
        await webhookEndpoints.update(id, { description: "Check" });
        await webhookEndpoints.del(id);
      },
    };
  },
} satisfies Partial<Record<keyof typeof catalogueRules, Attempt>>;
