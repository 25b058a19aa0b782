import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { database } from "../database/database.ts";
import { buyAtStripe } from "./stripe-account.ts";

type Place = {
  notBefore: number;
  counts: Record<"compared" | "mended" | "gone" | "failed", number>;
};

/** Where the reconciliation stands; undefined before its first run. */
export async function reconciliationPlace(): Promise<Place | undefined> {
  const { data } = await database
    .from("reconciliation")
    .select("place")
    .maybeSingle()
    .throwOnError();
  return (data?.place ?? undefined) as Place | undefined;
}

/** How often a place was kept since the table was empty. */
export async function reconciliationVersion(): Promise<number> {
  const { data } = await database
    .from("reconciliation")
    .select("version")
    .maybeSingle()
    .throwOnError();
  return data?.version ?? 0;
}

/** Triggers runs until a pass over everything is done. */
export async function runUntilDone(
  site: Pick<RunningWorker, "runScheduled">,
  maxRuns = 1_000,
): Promise<void> {
  for (let runs = 1; runs <= maxRuns; runs++) {
    await site.runScheduled();
    const place = await reconciliationPlace();
    if (place && place.notBefore > Date.now()) return;
  }
  throw new Error(`After ${maxRuns} runs the reconciliation is not done.`);
}

/** The next run begins a new pass, as `delete from reconciliation` in the SQL editor makes it. */
export async function beginAnew(): Promise<void> {
  await database.from("reconciliation").delete().eq("only_row", true).throwOnError();
}

/** So many customers with a plan each, oldest first. No webhook reports them. */
export async function buyers(count: number) {
  const bought = [];
  for (let number = 1; number <= count; number++) {
    bought.push(await buyAtStripe({ email: `buyer.${number}@example.com` }));
  }
  return bought;
}

/** Every row that says what Stripe said. */
export async function allRecords() {
  const [customers, subscriptions, events] = await Promise.all([
    database.from("customers").select("*").order("id").throwOnError(),
    database.from("subscriptions").select("*").order("id").throwOnError(),
    database.from("stripe_events").select("*").order("id").throwOnError(),
  ]);
  return { customers: customers.data, subscriptions: subscriptions.data, events: events.data };
}

/** The address that is recorded of a customer; undefined without a record. */
export async function addressOf(customer: string) {
  const { data } = await database
    .from("customers")
    .select("email")
    .eq("id", customer)
    .maybeSingle()
    .throwOnError();
  return data?.email;
}
