import { setTimeout } from "node:timers/promises";
import Stripe from "stripe";
import { addCustomers, addHandledEvents, rowsRead } from "../support/database/many-rows.ts";
import { measurePageCache } from "./growth-page-cache.ts";
import { rounded } from "./median.ts";
import type { Site } from "./site.ts";

const repeats = 60;

/** Milliseconds of the fastest answer, and the rows that the database read for one. */
type Cost = { milliseconds: number; rowsRead: number };

/** What a request costs when there is much more of what it looks through. */
export async function measureGrowth(site: Site) {
  const list = () => ask(site, "/dashboard/deployments");
  const overview = () => ask(site, "/dashboard");
  // The customer has ten deployments; then others come, up to as many in all as said.
  const few = { list: await cost(site, list), overview: await cost(site, overview) };
  await addCustomers(site.query, { first: 100, count: 99, deploymentsEach: 10 });
  const some = { list: await cost(site, list), overview: await cost(site, overview) };
  await addCustomers(site.query, { first: 1_000, count: 1_980, deploymentsEach: 50 });
  const many = { list: await cost(site, list), overview: await cost(site, overview) };

  const deliver = await webhook(site);
  await deliver();
  const firstEvents = await cost(site, deliver);
  await addHandledEvents(site.query, 10_000);
  const manyEvents = await cost(site, deliver);

  const ratio = (of: Cost, to: Cost) => ({
    milliseconds: rounded(of.milliseconds / to.milliseconds, 2),
    rowsRead: rounded(of.rowsRead / to.rowsRead, 2),
  });
  return {
    deploymentList: {
      rows10: few.list,
      rows1000: some.list,
      rows100000: many.list,
      growth: ratio(many.list, few.list),
    },
    dashboard: {
      customers1: few.overview,
      customers2080: many.overview,
      growth: ratio(many.overview, few.overview),
    },
    webhook: {
      events1: firstEvents,
      events10000: manyEvents,
      growth: ratio(manyEvents, firstEvents),
    },
    pageCache: await measurePageCache(),
  };
}

async function ask({ workerd, cookie }: Site, path: string): Promise<void> {
  const response = await fetch(workerd.site + path, { headers: { cookie }, redirect: "manual" });
  await response.text();
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
}

async function cost({ query }: Site, call: () => Promise<void>): Promise<Cost> {
  // Connections may have ended while rows were added: that is to be noticed before they are used again.
  await setTimeout(100);
  for (let warming = 0; warming < 5; warming++) await call();
  const before = await rowsRead(query);
  await call();
  const read = (await rowsRead(query)) - before;
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return { milliseconds: rounded(Math.min(...times), 2), rowsRead: read };
}

/** Delivers a new event about one customer each time it is called, as Stripe does. */
async function webhook({ variables, addresses, workerd }: Site) {
  const key = variables.STRIPE_SECRET_KEY ?? "";
  const { port } = addresses.stripe;
  const client = new Stripe(key, { host: "127.0.0.1", port, protocol: "http" });
  const { id: customer } = await client.customers.create({ email: "webhook@example.com" });
  return async () => {
    const payload = JSON.stringify({
      id: `evt_${crypto.randomUUID()}`,
      object: "event",
      api_version: null,
      created: Math.floor(Date.now() / 1_000),
      type: "customer.updated",
      data: { object: { id: customer, object: "customer" } },
    });
    const secret = variables.STRIPE_WEBHOOK_SECRET ?? "";
    const response = await fetch(`${workerd.site}/api/stripe/webhook`, {
      method: "POST",
      body: payload,
      headers: {
        "content-type": "application/json",
        "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
      },
    });
    if (response.status !== 200) throw new Error(`The webhook answers ${response.status}`);
    await response.text();
  };
}
