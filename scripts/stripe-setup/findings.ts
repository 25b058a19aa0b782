import Stripe from "stripe";
import { type TaxSetting, taxBehaviors } from "../../app/platform/env/price-terms.ts";
import {
  type ExpectedPrice,
  type ExpectedProduct,
  expectedEndpoint,
  expectedPortal,
  expectedPrices,
  expectedProducts,
  portalMark,
} from "./expected.ts";

/** Whether one object in the account is as the site needs it, and what would change it. */
export type Finding =
  | { state: "as wanted"; what: string; note?: string }
  | { state: "to create" | "to change"; what: string; carryOut(): Promise<void> }
  | { state: "conflict"; sentence: string };

/** The variables that the site needs, as far as they are known. */
export type Variables = Map<string, string>;

/**
 * Reads the account and compares it with what the site at `siteUrl` needs. Writes nothing: each
 * finding knows how to carry itself out. Ids and secrets go into `variables` as they become known.
 */
export async function examine(
  stripe: Stripe,
  { siteUrl, tax }: { siteUrl: string; tax: TaxSetting },
  variables: Variables,
): Promise<Finding[]> {
  return [
    ...(await Promise.all(expectedProducts.map((product) => examineProduct(stripe, product)))),
    ...(await examinePrices(stripe, tax, variables)),
    await examinePortal(stripe, siteUrl, variables),
    // Last, because Stripe shows its secret once: nothing may fail between that and our output.
    await examineEndpoint(stripe, siteUrl, variables),
  ];
}

async function examineProduct(stripe: Stripe, expected: ExpectedProduct): Promise<Finding> {
  const what = `product ${expected.name} (${expected.id})`;
  const found = await foundOrNone(stripe.products.retrieve(expected.id));
  if (!found) {
    return {
      state: "to create",
      what,
      carryOut: async () => {
        // Another run may have made it since; its metadata are then put right.
        await stripe.products.create(expected).catch(async (error: unknown) => {
          if (!isTaken(error)) throw error;
          await stripe.products.update(expected.id, { metadata: expected.metadata });
        });
      },
    };
  }
  if (!found.active) {
    return {
      state: "conflict",
      sentence: `The ${what} is archived. Unarchive it in the Stripe Dashboard if it is still sold.`,
    };
  }
  if (holds(found.metadata, expected.metadata)) return { state: "as wanted", what };
  return {
    state: "to change",
    what,
    carryOut: async () => {
      await stripe.products.update(expected.id, { metadata: expected.metadata });
    },
  };
}

async function examinePrices(
  stripe: Stripe,
  tax: TaxSetting,
  variables: Variables,
): Promise<Finding[]> {
  const { data } = await stripe.prices.list({
    lookup_keys: expectedPrices.map(({ lookupKey }) => lookupKey),
    limit: 100,
  });
  return expectedPrices.map((expected) => {
    const found = data.find(({ lookup_key }) => lookup_key === expected.lookupKey);
    return examinePrice(stripe, expected, found, { tax, variables });
  });
}

function examinePrice(
  stripe: Stripe,
  expected: ExpectedPrice,
  found: Stripe.Price | undefined,
  { tax, variables }: { tax: TaxSetting; variables: Variables },
): Finding {
  const taxed = tax === "off" ? {} : { tax_behavior: taxBehaviors[tax] };
  const { lookupKey, product, currency, unitAmount, interval, variable } = expected;
  const terms = wordsFor(currency, unitAmount, interval, 1);
  const what = `price ${lookupKey} (${terms})`;
  if (!found) {
    return {
      state: "to create",
      what,
      carryOut: async () => {
        const made = stripe.prices.create({
          product: product.id,
          currency,
          unit_amount: unitAmount,
          recurring: { interval },
          lookup_key: lookupKey,
          ...taxed,
        });
        const price = await made.catch(async (error: unknown) => {
          if (!isTaken(error)) throw error;
          const [other] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data;
          if (other?.unit_amount !== unitAmount) throw error;
          return other;
        });
        variables.set(variable, price.id);
      },
    };
  }
  const actual = wordsFor(
    found.currency,
    found.unit_amount,
    found.recurring?.interval,
    found.recurring?.interval_count ?? 1,
  );
  if (actual !== terms) {
    return {
      state: "conflict",
      sentence:
        `Price ${found.id} (${lookupKey}) is ${actual}, and the site says ${terms}. ` +
        `Stripe's prices cannot be changed. ${newPrice}`,
    };
  }
  const owner = typeof found.product === "string" ? found.product : found.product.id;
  if (owner !== product.id) {
    return {
      state: "conflict",
      sentence:
        `Price ${found.id} (${lookupKey}) belongs to product ${owner}, not to ${product.id}. ` +
        "Take the lookup key off it in the Stripe Dashboard and run this again.",
    };
  }
  if (!found.active) {
    return {
      state: "conflict",
      sentence: `Price ${found.id} (${lookupKey}) is archived. Unarchive it in the Stripe Dashboard if it is still sold.`,
    };
  }
  variables.set(variable, found.id);
  if (holds(found, taxed)) return { state: "as wanted", what };
  if (found.tax_behavior === "inclusive" || found.tax_behavior === "exclusive") {
    return {
      state: "conflict",
      sentence:
        `Price ${found.id} (${lookupKey}) has tax ${found.tax_behavior === "inclusive" ? "included" : "added"}, and STRIPE_AUTOMATIC_TAX ` +
        `is ${tax}. Stripe's prices cannot be changed. ${newPrice}`,
    };
  }
  return {
    state: "to change",
    what: `${what}, with tax ${tax}`,
    carryOut: async () => {
      await stripe.prices.update(found.id, taxed);
    },
  };
}

/** What an operator does to change a price. The old one stays on sale until the site knows the new one. */
const newPrice =
  "Take the lookup key off it in the Stripe Dashboard and run this again: that makes a new price. " +
  "Archive the old one when the site sells the new one; running subscriptions keep theirs.";

function wordsFor(
  currency: string,
  unitAmount: number | null,
  interval: string | undefined,
  intervalCount: number,
): string {
  const code = currency.toUpperCase();
  const amount = unitAmount === null ? "no fixed amount" : `${(unitAmount / 100).toFixed(2)}`;
  if (!interval) return `${amount} ${code} once`;
  return `${amount} ${code} every ${intervalCount === 1 ? interval : `${intervalCount} ${interval}s`}`;
}

async function examinePortal(
  stripe: Stripe,
  siteUrl: string,
  variables: Variables,
): Promise<Finding> {
  const what = `customer portal configuration of ${siteUrl}`;
  const variable = "STRIPE_PORTAL_CONFIGURATION";
  const expected = expectedPortal(siteUrl);
  const all = await stripe.billingPortal.configurations
    .list({ active: true, limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  const found = all.find(({ metadata }) => metadata?.[portalMark] === siteUrl);
  if (!found) {
    return {
      state: "to create",
      what,
      carryOut: async () => {
        const { configurations } = stripe.billingPortal;
        const created = await configurations.create(expected);
        const active = await configurations.list({ active: true, limit: 100 });
        const ours = active.data.filter(({ metadata }) => metadata?.[portalMark] === siteUrl);
        const first = firstMade(ours) ?? created;
        if (first.id !== created.id) await configurations.update(created.id, { active: false });
        variables.set(variable, first.id);
      },
    };
  }
  variables.set(variable, found.id);
  if (holds(found, expected)) return { state: "as wanted", what };
  return {
    state: "to change",
    what,
    carryOut: async () => {
      await stripe.billingPortal.configurations.update(found.id, expected);
    },
  };
}

async function examineEndpoint(
  stripe: Stripe,
  siteUrl: string,
  variables: Variables,
): Promise<Finding> {
  const { api_version, description, ...expected } = expectedEndpoint(siteUrl);
  const what = `webhook endpoint ${expected.url}`;
  const all = await stripe.webhookEndpoints
    .list({ limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  const [found, ...others] = all.filter(({ url }) => url === expected.url);
  if (!found) {
    return {
      state: "to create",
      what,
      carryOut: async () => {
        const created = await stripe.webhookEndpoints.create({
          ...expected,
          api_version,
          description,
        });
        const listed = await stripe.webhookEndpoints.list({ limit: 100 });
        const first = firstMade(listed.data.filter(({ url }) => url === expected.url));
        // Another run was first, and has printed the secret of its own.
        if (first && first.id !== created.id) await stripe.webhookEndpoints.del(created.id);
        else variables.set("STRIPE_WEBHOOK_SECRET", created.secret ?? "");
      },
    };
  }
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(", ");
    return {
      state: "conflict",
      sentence:
        `Several webhook endpoints deliver to ${expected.url}: ${ids}. ` +
        "Each has its own secret and the site knows one. Delete the others in the Stripe Dashboard.",
    };
  }
  if (!holds(found, expected) || found.status !== "enabled") {
    return {
      state: "to change",
      what,
      carryOut: async () => {
        await stripe.webhookEndpoints.update(found.id, { ...expected, disabled: false });
      },
    };
  }
  if (found.api_version === api_version) return { state: "as wanted", what };
  const note =
    `It speaks API version ${found.api_version}, the site ${api_version}. Stripe cannot change that: ` +
    "to move it, delete it in the Stripe Dashboard, run this again and set the new secret.";
  return { state: "as wanted", what, note };
}

/** Whether Stripe refused because something with this id or lookup key exists: another run has just made it. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    (error.code === "resource_already_exists" || error.param === "lookup_key")
  );
}

/**
 * Of several that runs at one moment made, the one that all of them keep: the oldest. Stripe lists the newest first, which
 * also orders those of one second; a run that listed before the next one was made has kept the older.
 */
function firstMade<Made extends { created: number }>(all: readonly Made[]) {
  return all
    .toReversed()
    .toSorted((a, b) => a.created - b.created)
    .at(0);
}

async function foundOrNone<Resource>(reading: Promise<Resource>): Promise<Resource | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
      return;
    throw error;
  }
}

/** Whether `actual` has everything that `wanted` has. Lists are compared as sets. */
function holds(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((each) => actual.includes(each))
    );
  }
  if (expected === null || typeof expected !== "object") return actual === expected;
  if (actual === null || typeof actual !== "object") return false;
  const fields = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(expected).every(([name, value]) => holds(fields.get(name), value));
}
