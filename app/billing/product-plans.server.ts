import type Stripe from "stripe";
import type { Configuration } from "~/configuration/configuration.server";
import type { Offer } from "~/content/plans";
import { planOfPrice, priceIds } from "./prices";
import { unlessMissing } from "./stripe.server";

/** What a product is: one of our plans, or 'none', which gives no right. */
export type ProductPlan = Offer["plan"] | "none";

type ListedPrice = Pick<Stripe.Price, "id" | "product">;

/** What is known of prices and products once everything that subscriptions name was looked up. */
export type Catalogue = {
  planOf(price: ListedPrice): ProductPlan;
  /** A price that is only named by its id; undefined when Stripe does not have it. */
  priceOf(id: string): Stripe.Price | undefined;
  /** How many requests the look-ups took. */
  requests: number;
};

/** Products change rarely, and the next pass of the reconciliation notices it. */
const rememberedForMs = 5 * 60 * 1_000;
const mostRemembered = 1_000;
const productsAtOnce = 100;

type Remembered<Value> = Map<string, { value: Value; until: number }>;
/** The plan in the metadata of a product; null for a product without. */
const products: Remembered<Offer["plan"] | null> = new Map();
/** Null for a price that Stripe does not have. */
const prices: Remembered<Stripe.Price | null> = new Map();

/**
 * Looks up what decides about rights: the metadata of the products that are paid for. A subscription holds
 * its product's id only, and Stripe expands four levels at most. Usually one request, and none for what this
 * isolate has seen within minutes. Throws when Stripe does not answer.
 */
export async function readCatalogue(
  stripe: Stripe,
  configuration: Configuration,
  subscriptions: readonly Stripe.Subscription[],
): Promise<Catalogue> {
  const pricesFor = (ids: readonly string[]) =>
    recallOrRead(prices, ids, (unknown) =>
      Promise.all(unknown.map((id) => retrievePrice(stripe, id))),
    );
  const paid = subscriptions.flatMap(({ items }) => items.data.map(({ price }) => price));
  const scheduled = await pricesFor(subscriptions.flatMap(scheduledPrices));
  const named = [...paid, ...[...scheduled.found.values()].flatMap((price) => price ?? [])];

  let requests = scheduled.read;
  const marked = await recallOrRead(products, named.map(productId), async (unknown) => {
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

  // Until `npm run stripe:setup` has marked the products, those of the configured prices are ours.
  const unmarked = named.some(
    (price) => !marked.found.get(productId(price)) && !planOfPrice(configuration, price.id),
  );
  const ours = await pricesFor(unmarked ? Object.values(priceIds(configuration)) : []);
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
    priceOf: (id) => scheduled.found.get(id) ?? undefined,
    requests,
  };
}

/** The best plan among the prices of one subscription: somebody may have more than one thing in it. */
export function planOfSubscription(
  { items }: Pick<Stripe.Subscription, "items">,
  catalogue: Catalogue,
): ProductPlan {
  const item = itemWithPlan(items.data, catalogue);
  return item ? catalogue.planOf(item.price) : "none";
}

const plansByRank: readonly ProductPlan[] = ["none", "basic", "pro"];

/** The item that carries the plan; the first of several. Undefined only without items. */
export function itemWithPlan<Item extends { price: Stripe.Price }>(
  items: readonly Item[],
  catalogue: Catalogue,
): Item | undefined {
  const rank = ({ price }: Item) => plansByRank.indexOf(catalogue.planOf(price));
  return items.reduce<Item | undefined>(
    (best, item) => (best && rank(best) >= rank(item) ? best : item),
    undefined,
  );
}

/** The prices of the phases of a subscription's schedule, which names them by their ids. */
function scheduledPrices({ schedule }: Stripe.Subscription): string[] {
  if (!schedule || typeof schedule === "string") return [];
  return schedule.phases.flatMap(({ items }) =>
    items.map(({ price }) => (typeof price === "string" ? price : price.id)),
  );
}

async function retrievePrice(stripe: Stripe, id: string) {
  return [id, (await unlessMissing(stripe.prices.retrieve(id))) ?? null] as const;
}

function productId({ product }: ListedPrice): string {
  return typeof product === "string" ? product : product.id;
}

function planIn({ plan }: Stripe.Metadata): Offer["plan"] | null {
  return plan === "basic" || plan === "pro" ? plan : null;
}

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** The values of these ids, each read at most once in some minutes, and how many had to be read. */
async function recallOrRead<Value>(
  memory: Remembered<Value>,
  ids: readonly string[],
  read: (unknown: string[]) => Promise<(readonly [string, Value])[]>,
): Promise<{ found: ReadonlyMap<string, Value>; read: number }> {
  const now = Date.now();
  const found = new Map<string, Value>();
  const unknown: string[] = [];
  for (const id of new Set(ids)) {
    const known = memory.get(id);
    if (known && known.until > now) found.set(id, known.value);
    else unknown.push(id);
  }
  if (unknown.length > 0) {
    if (memory.size > mostRemembered) memory.clear();
    for (const [id, value] of await read(unknown)) {
      found.set(id, value);
      memory.set(id, { value, until: now + rememberedForMs });
    }
  }
  return { found, read: unknown.length };
}
