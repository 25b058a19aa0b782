import type Stripe from "stripe";
import * as z from "zod/mini";
import type { Configuration } from "~/configuration/configuration.server";
import type { ServiceClient } from "~/database/service-client.server";
import { type Catalogue, readCatalogue } from "./product-plans.server";
import type { Place } from "./reconciliation-place.server";
import { isMissing } from "./stripe.server";
import { cardOf, expandedInSubscriptions, timestamp, toRow } from "./subscription-record.server";

/** A customer to read again, which of our subscriptions Stripe did not list, and whether they were given up. */
export type Difference = z.infer<typeof difference>;

const difference = z.object({
  customer_id: z.string(),
  gone: z.array(z.string()),
  closed: z.optional(z.boolean()),
});

type Compared = {
  /** How many entries Stripe listed. */
  entries: number;
  differences: Difference[];
  /** Where the next page begins; null when the list is at its end. */
  next: Place["compared"];
  /** How many requests to Stripe and the database it took. */
  requests: number;
};

/**
 * Reads the page of Stripe's list that comes next, newest first, and has the database compare it with
 * the same stretch of our rows. Throws when Stripe or the database does not answer.
 */
export async function compareNextPage(
  stripe: Stripe,
  configuration: Configuration,
  database: ServiceClient,
  { list, compared }: Place,
  now: number,
): Promise<Compared> {
  if (list === "subscriptions") {
    const page = await pageAfter(compared, (part) =>
      stripe.subscriptions.list({ ...part, status: "all", expand: [...expandedInSubscriptions] }),
    );
    const catalogue = await readCatalogue(stripe, configuration, page.data);
    const listed = page.data.flatMap((each) => subscriptionRow(each, catalogue));
    const { data } = await database
      .rpc("compare_subscriptions", { ...stretchOf(page, compared, now), listed })
      .throwOnError();
    return outcomeOf(page, compared, data, 2 + catalogue.requests);
  }
  const page = await pageAfter(compared, (part) =>
    stripe.customers.list({ ...part, expand: ["data.invoice_settings.default_payment_method"] }),
  );
  const listed = page.data.map(customerRow);
  const { data } = await database
    .rpc("compare_customers", { ...stretchOf(page, compared, now), listed })
    .throwOnError();
  return outcomeOf(page, compared, data, 2);
}

type Entry = { id: string; created: number };

/** The part of our rows that a page covers: from the end of the page before to its own. */
function stretchOf(page: Stripe.ApiList<Entry>, compared: Place["compared"], now: number) {
  const last = page.has_more ? page.data.at(-1) : undefined;
  return {
    tied: compared?.tied ?? [],
    up_to: new Date(compared?.createdAt ?? now).toISOString(),
    ...(last ? { newer_than: timestamp(last.created) } : {}),
  };
}

function outcomeOf(
  page: Stripe.ApiList<Entry>,
  compared: Place["compared"],
  data: unknown,
  requests: number,
): Compared {
  const last = page.has_more ? page.data.at(-1) : undefined;
  return {
    entries: page.data.length,
    differences: z.array(difference).parse(data),
    next: last ? endOfPage(last, page.data, compared) : null,
    requests,
  };
}

/** A stretch ends within the second of its last entry: others of that second may be on the next page. */
function endOfPage(
  { id, created }: Entry,
  entries: readonly Entry[],
  before: Place["compared"],
): Place["compared"] {
  const createdAt = created * 1_000;
  const tied = entries.filter((entry) => entry.created === created).map((entry) => entry.id);
  return {
    id,
    createdAt,
    tied: before?.createdAt === createdAt ? [...before.tied, ...tied] : tied,
  };
}

type Part = { limit: number; starting_after?: string; created?: { lte: number } };

async function pageAfter<Page>(
  compared: Place["compared"],
  list: (part: Part) => Promise<Page>,
): Promise<Page> {
  const limit = 100;
  if (!compared) return list({ limit });
  try {
    return await list({ limit, starting_after: compared.id });
  } catch (error) {
    // A customer who was deleted since is no longer in the list: its second is read again.
    if (!isMissing(error)) throw error;
    return list({ limit, created: { lte: compared.createdAt / 1_000 } });
  }
}

function subscriptionRow(subscription: Stripe.Subscription, catalogue: Catalogue) {
  const { customer } = subscription;
  const customer_id = typeof customer === "string" ? customer : customer.id;
  return toRow(subscription, catalogue).map((row) => ({ ...row, customer_id }));
}

function customerRow({ id, email, created, invoice_settings }: Stripe.Customer) {
  const card = cardOf(invoice_settings.default_payment_method);
  return { id, email, created_at: timestamp(created), ...card };
}
