import type Stripe from "stripe";
import { type AccountPlan, type PlanKey, planKeys } from "~/content/plans";
import type { Configuration } from "~/platform/env/configuration.server";
import { unlessMissing } from "../stripe/stripe.server";
import { planOfPrice, priceIds } from "./prices";

type ListedPrice = Pick<Stripe.Price, "id" | "product">;

/** The prices and products of some subscriptions, after they were looked up at Stripe. */
export type Catalogue = {
  planOf(price: ListedPrice): AccountPlan;
  /** A price by its id; undefined when Stripe does not have it, or when it was not looked up. */
  priceOf(id: string): Stripe.Price | undefined;
  /** How many requests the look-ups took. */
  requests: number;
};

/** Products change rarely; a change is noticed by the next pass of the reconciliation. */
const rememberedForMs = 5 * 60 * 1_000;
const maxRemembered = 1_000;
const productsAtOnce = 100;

type Remembered<Value> = Map<string, { value: Value; until: number }>;
/** The plan in a product's metadata, by the product's id; null for a product without a plan. */
const products: Remembered<PlanKey | null> = new Map();
/** Prices by their ids; null for one that Stripe does not have. */
const prices: Remembered<Stripe.Price | null> = new Map();

/** How many scheduled prices one look-up reads; each takes a request. Further ones stay unknown. */
const maxScheduledRead = 5;

/**
 * Looks up the metadata of the products that subscriptions pay for, which decide which plan somebody has. A
 * subscription has only the product's id, since Stripe expands four levels at most. This usually takes one
 * request, and none for products that this isolate has read in the last minutes. For subscriptions to our plans
 * it also looks up the price that their schedule changes to, because schedules name prices by id. Throws when
 * Stripe does not answer.
 */
export async function readCatalogue(
  stripe: Stripe,
  configuration: Configuration,
  subscriptions: readonly Stripe.Subscription[],
): Promise<Catalogue> {
  const paid = subscriptions.flatMap(({ items }) => items.data.map(({ price }) => price));
  const sold = await readPlans(stripe, configuration, paid);
  const planSubscriptions = subscriptions.filter(
    (each) => planOfSubscription(each, sold) !== "none",
  );
  const scheduled = await readPrices(
    stripe,
    planSubscriptions.flatMap(pricesToCome),
    maxScheduledRead,
  );
  const found = [...scheduled.found.values()].flatMap((price) => price ?? []);
  const coming = await readPlans(stripe, configuration, found);
  const named = new Map([...paid, ...found].map((price) => [price.id, price]));
  return {
    planOf: (price) => (scheduled.found.has(price.id) ? coming : sold).planOf(price),
    priceOf: (id) => named.get(id),
    requests: sold.requests + scheduled.read + coming.requests,
  };
}

/** Reads the plans of prices from the metadata of their products. */
async function readPlans(
  stripe: Stripe,
  configuration: Configuration,
  listed: readonly ListedPrice[],
): Promise<Pick<Catalogue, "planOf" | "requests">> {
  let requests = 0;
  const marked = await recallOrRead(products, listed.map(productId), async (unknown) => {
    const batches = batchesOf(unknown, productsAtOnce);
    requests += batches.length;
    const pages = await Promise.all(
      batches.map((ids) => stripe.products.list({ ids, limit: productsAtOnce })),
    );
    const plans = new Map(
      pages.flatMap(({ data }) => data.map(({ id, metadata }) => [id, planIn(metadata)] as const)),
    );
    return unknown.map((id) => [id, plans.get(id) ?? null] as const);
  });

  // Products without metadata: until `npm run stripe:setup` has marked them, the configured prices decide.
  const unmarked = listed.some(
    (price) => !marked.found.get(productId(price)) && !planOfPrice(configuration, price.id),
  );
  const configured = unmarked ? Object.values(priceIds(configuration)) : [];
  const ours = await readPrices(stripe, configured, configured.length);
  requests += ours.read;

  return {
    planOf(price) {
      const plan = marked.found.get(productId(price)) ?? planOfPrice(configuration, price.id);
      if (plan) return plan;
      const plans = [...ours.found.values()]
        .filter((each) => each && productId(each) === productId(price))
        .map((each) => each && planOfPrice(configuration, each.id));
      return (plans.includes("pro") ? "pro" : plans[0]) ?? "none";
    },
    requests,
  };
}

function readPrices(stripe: Stripe, ids: readonly string[], max: number) {
  return recallOrRead(
    prices,
    ids,
    (unknown) => Promise.all(unknown.map((id) => retrievePrice(stripe, id))),
    max,
  );
}

/** The largest plan among the items of a subscription, which may have several. */
export function planOfSubscription(
  { items }: Pick<Stripe.Subscription, "items">,
  catalogue: Pick<Catalogue, "planOf">,
): AccountPlan {
  const item = itemWithPlan(items.data, catalogue);
  return item ? catalogue.planOf(item.price) : "none";
}

const plansByRank: readonly AccountPlan[] = ["none", ...planKeys];

/** The item with the largest plan; of several such items the first. Undefined only without items. */
export function itemWithPlan<Item extends { price: Stripe.Price }>(
  items: readonly Item[],
  catalogue: Pick<Catalogue, "planOf">,
): Item | undefined {
  const rank = ({ price }: Item) => plansByRank.indexOf(catalogue.planOf(price));
  return items.reduce<Item | undefined>(
    (best, item) => (best && rank(best) >= rank(item) ? best : item),
    undefined,
  );
}

/** The ids of the new prices in the next phase of a subscription's schedule that changes a price. */
function pricesToCome({ schedule, items }: Stripe.Subscription): string[] {
  if (!schedule || typeof schedule === "string") return [];
  const paid = new Set(items.data.map(({ price }) => price.id));
  const over = schedule.current_phase?.end_date ?? 0;
  return (
    schedule.phases
      .filter(({ start_date }) => start_date >= over)
      .map((phase) =>
        phase.items.map(({ price }) => (typeof price === "string" ? price : price.id)),
      )
      .map((ids) => ids.filter((id) => !paid.has(id)))
      .find((ids) => ids.length > 0) ?? []
  );
}

async function retrievePrice(stripe: Stripe, id: string) {
  return [id, (await unlessMissing(stripe.prices.retrieve(id))) ?? null] as const;
}

function productId({ product }: ListedPrice): string {
  return typeof product === "string" ? product : product.id;
}

function planIn({ plan }: Stripe.Metadata): PlanKey | null {
  return planKeys.find((key) => key === plan) ?? null;
}

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/**
 * The values of these ids, from `memory` or else from `read`, and how many ids had to be read. It reads at most
 * `max` ids; those beyond are left out of the values.
 */
async function recallOrRead<Value>(
  memory: Remembered<Value>,
  ids: readonly string[],
  read: (unknown: string[]) => Promise<(readonly [string, Value])[]>,
  max = Number.POSITIVE_INFINITY,
): Promise<{ found: ReadonlyMap<string, Value>; read: number }> {
  const now = Date.now();
  const found = new Map<string, Value>();
  const missing: string[] = [];
  for (const id of new Set(ids)) {
    const cached = memory.get(id);
    if (cached && cached.until > now) found.set(id, cached.value);
    else missing.push(id);
  }
  const unknown = missing.slice(0, max);
  if (unknown.length > 0) {
    if (memory.size > maxRemembered) memory.clear();
    for (const [id, value] of await read(unknown)) {
      found.set(id, value);
      memory.set(id, { value, until: now + rememberedForMs });
    }
  }
  return { found, read: unknown.length };
}
