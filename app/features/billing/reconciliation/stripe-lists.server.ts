import type Stripe from "stripe";
import * as z from "zod/mini";
import type { ServiceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { methodColumns } from "../prices/payment-methods";
import { type Catalogue, readCatalogue } from "../prices/product-plans.server";
import { isMissing, unlessMissing } from "../stripe/stripe.server";
import {
  expandedInSubscriptions,
  timestamp,
  toRow,
} from "../subscriptions/subscription-record.server";
import { isPastLimit } from "../subscriptions/transfer-orders.server";
import type { PassProgress } from "./reconciliation-progress.server";

/**
 * A customer whose records differ from Stripe's. `gone` lists the ids of our subscriptions that Stripe did not
 * list; `closed` says that the customer's account was deleted.
 */
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
  /** The position after this page; null at the end of the list. */
  next: PassProgress["compared"];
  /** How many requests to Stripe and to the database were made. */
  requests: number;
  /** False when Stripe knows none of our customers: the key is of another account, and nothing may be changed. */
  ours: boolean;
};

/**
 * Reads the next page of Stripe's list, newest first, and lets the database compare it with our rows of the same
 * period. Throws when Stripe or the database does not answer.
 */
export async function compareNextPage(
  stripe: Stripe,
  configuration: Configuration,
  database: ServiceClient,
  { list, compared }: PassProgress,
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
    const customers = page.data.map(customerIdOf);
    const differences = z.array(difference).parse(data);
    // No event tells that the limit of an order has passed.
    const unpaid = page.data.filter((each) => isPastLimit(each, now)).map(customerIdOf);
    const further = unpaid.filter(
      (id) => !differences.some(({ customer_id }) => customer_id === id),
    );
    return outcomeOf(page, compared, {
      differences: [
        ...differences,
        ...further.map((customer_id) => ({ customer_id, gone: [] as string[] })),
      ],
      requests: 2 + catalogue.requests,
      recognise: () => recognise(stripe, database, customers),
    });
  }
  const page = await pageAfter(compared, (part) =>
    stripe.customers.list({ ...part, expand: ["data.invoice_settings.default_payment_method"] }),
  );
  const listed = page.data.map(customerRow);
  const { data } = await database
    .rpc("compare_customers", { ...stretchOf(page, compared, now), listed })
    .throwOnError();
  return outcomeOf(page, compared, {
    differences: z.array(difference).parse(data),
    requests: 2,
    recognise: () =>
      recognise(
        stripe,
        database,
        page.data.map(({ id }) => id),
      ),
  });
}

const recognised = z.object({ known: z.boolean(), sample: z.array(z.string()) });

/**
 * Whether the Stripe key belongs to the account that our records came from. With the key of another account, or
 * of the other mode, no listed customer is ours, and Stripe does not find ours when we ask for some by id.
 */
async function recognise(stripe: Stripe, database: ServiceClient, listed: readonly string[]) {
  const { data } = await database
    .rpc("recognise_customers", { listed: [...new Set(listed)] })
    .throwOnError();
  const { known, sample } = recognised.parse(data);
  if (known || sample.length === 0) return { ours: true, requests: 1 };
  const found = await Promise.all(sample.map((id) => unlessMissing(stripe.customers.retrieve(id))));
  return { ours: found.some((customer) => customer), requests: 1 + sample.length };
}

type Entry = { id: string; created: number };

/** The period of creation times that a page covers: from the end of the previous page to its own end. */
function stretchOf(page: Stripe.ApiList<Entry>, compared: PassProgress["compared"], now: number) {
  const last = page.has_more ? page.data.at(-1) : undefined;
  return {
    tied: compared?.tied ?? [],
    up_to: new Date(compared?.createdAt ?? now).toISOString(),
    ...(last ? { newer_than: timestamp(last.created) } : {}),
  };
}

async function outcomeOf(
  page: Stripe.ApiList<Entry>,
  compared: PassProgress["compared"],
  found: {
    differences: Difference[];
    requests: number;
    recognise: () => Promise<{ ours: boolean; requests: number }>;
  },
): Promise<Compared> {
  const last = page.has_more ? page.data.at(-1) : undefined;
  const { differences } = found;
  const recognition =
    differences.length > 0 ? await found.recognise() : { ours: true, requests: 0 };
  return {
    entries: page.data.length,
    differences,
    next: last ? endOfPage(last, page.data, compared) : null,
    requests: found.requests + recognition.requests,
    ours: recognition.ours,
  };
}

/**
 * The position after a page. Stripe's times are in whole seconds, so further entries of the last second may be
 * on the next page; `tied` lists those that were compared already.
 */
function endOfPage(
  { id, created }: Entry,
  entries: readonly Entry[],
  before: PassProgress["compared"],
): PassProgress["compared"] {
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
  compared: PassProgress["compared"],
  list: (part: Part) => Promise<Page>,
): Promise<Page> {
  const limit = 100;
  if (!compared) return list({ limit });
  try {
    return await list({ limit, starting_after: compared.id });
  } catch (error) {
    // The customer at the position was deleted in between, so we read again from its second of creation.
    if (!isMissing(error)) throw error;
    return list({ limit, created: { lte: compared.createdAt / 1_000 } });
  }
}

function subscriptionRow(subscription: Stripe.Subscription, catalogue: Catalogue) {
  const customer_id = customerIdOf(subscription);
  return toRow(subscription, catalogue).map((row) => ({ ...row, customer_id }));
}

function customerIdOf({ customer }: Stripe.Subscription): string {
  return typeof customer === "string" ? customer : customer.id;
}

function customerRow({ id, email, created, invoice_settings }: Stripe.Customer) {
  const card = methodColumns(invoice_settings.default_payment_method);
  return { id, email, created_at: timestamp(created), ...card };
}
