import type Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { handledEventTypes } from "../../../app/features/billing/subscriptions/webhook-events.ts";
import type { AppContext } from "../../../app/http/app-context.ts";
import { readConfiguration } from "../../../app/platform/env/configuration.server.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { differingBooks } from "../../support/billing/books.ts";
import { differingCustomers } from "../../support/billing/compare-records.ts";
import { beginAnew, runUntilDone } from "../../support/billing/reconciliation.ts";
import { statusOf } from "../../support/billing/records.ts";
import { prices, stripe } from "../../support/billing/stripe-account.ts";
import { deliver, pauseDeliveries } from "../../support/billing/webhook-delivery.ts";
import {
  newPeople,
  nextAct,
  type Person,
  type Shop,
  type YearRecord,
} from "../../support/billing/year-simulation.ts";
import { database } from "../../support/database/database.ts";
import { seedsOf } from "../../support/run/seeds.ts";
import { requestsRefused, resetFakes, stripeControl } from "../../support/site/control-fakes.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { type Random, seededRandom } from "../../support/site/random.ts";

const people = 1_000;
const days = 365;
const dayOfPriceChange = 180;
/** Everybody has bought by then; they go on changing until the last day. */
const daysOfPurchases = 240;
const actsADay = 6;
const daysBetweenPasses = 7;

const day = 24 * 60 * 60;
const atOnce = 6;
const handled: ReadonlySet<string> = new Set(handledEventTypes);

let site: Awaited<ReturnType<typeof startOwnWorker>>;

beforeEach(async () => {
  await resetFakes();
  await pauseDeliveries();
  site = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});

afterEach(() => site?.[Symbol.asyncDispose]());

type Right = "pro" | "basic" | "none";
type Counted = { status: string; plan: Right };

/** What running plans give: the best of them. */
function rightOf(subscriptions: Iterable<Counted>): Right {
  const running = [...subscriptions]
    .filter(({ status }) => ["active", "trialing", "past_due"].includes(status))
    .map(({ plan }) => plan);
  if (running.includes("pro")) return "pro";
  return running.includes("basic") ? "basic" : "none";
}

/** What Stripe's own events say that each customer has. */
function ledger(planOf: ReadonlyMap<string, Right>) {
  const held = new Map<string, Map<string, Counted>>();
  return {
    note({ data: { object } }: Stripe.Event) {
      if (object.object !== "subscription") return;
      const subscriptions = held.get(String(object.customer)) ?? new Map<string, Counted>();
      const [item] = object.items.data;
      const plan = planOf.get(String(item?.price.product)) ?? "none";
      const status = statusOf(object);
      held.set(String(object.customer), subscriptions.set(object.id, { status, plan }));
    },
    rights: () => new Map([...held].map(([id, rows]) => [id, rightOf(rows.values())])),
  };
}

/** What our records give each customer. */
async function rightsHere(): Promise<Map<string, Right>> {
  const held = new Map<string, Counted[]>();
  for (let from = 0; ; from += 1_000) {
    const { data } = await database
      .from("subscriptions")
      .select("customer_id, status, plan")
      .order("id")
      .range(from, from + 999)
      .throwOnError();
    for (const { customer_id, status, plan } of data) {
      const subscriptions = held.get(customer_id) ?? [];
      subscriptions.push({ status, plan: plan === "pro" || plan === "basic" ? plan : "none" });
      held.set(customer_id, subscriptions);
    }
    if (data.length < 1_000) break;
  }
  return new Map([...held].map(([id, subscriptions]) => [id, rightOf(subscriptions)]));
}

/**
 * The post between Stripe and the site. Of the letters of one day about one customer the last is sent:
 * each makes the site read everything of that customer. Some are lost, some come twice, some come days
 * late. A customer whose newest letter has not arrived is in `unheard`.
 */
function postOffice(random: Random) {
  let waiting: { due: number; event: Stripe.Event; customer: string }[] = [];
  const unheard = new Set<string>();
  const counts = { sent: 0, lost: 0, twice: 0, late: 0 };
  return {
    unheard,
    counts,
    take(event: Stripe.Event, customer: string, today: number) {
      unheard.add(customer);
      if (random.chance(0.15)) {
        counts.lost += 1;
        return;
      }
      const isLate = random.chance(0.15);
      const isDouble = random.chance(0.1);
      counts.late += isLate ? 1 : 0;
      counts.twice += isDouble ? 1 : 0;
      const due = today + (isLate ? 1 + random.below(9) : 0);
      for (let copies = isDouble ? 2 : 1; copies > 0; copies--)
        waiting.push({ due, event, customer });
    },
    async handOver(today: number) {
      const now = random.shuffled(waiting.filter(({ due }) => due <= today));
      waiting = waiting.filter(({ due }) => due > today);
      await inParallel(now, atOnce, async ({ event, customer }) => {
        const response = await deliver(event, { siteUrl: site.url });
        await response.body?.cancel();
        expect(response.status).toBe(200);
        unheard.delete(customer);
      });
      counts.sent += now.length;
    },
  };
}

/** The events since the last look, oldest first. */
async function newEvents(since: string | undefined): Promise<Stripe.Event[]> {
  const found: Stripe.Event[] = [];
  let last = since;
  for (;;) {
    const page = await stripe.events.list({
      limit: 100,
      ...(last ? { ending_before: last } : {}),
    });
    found.push(...page.data.toReversed());
    last = page.data[0]?.id ?? last;
    if (!page.has_more || !since) return found;
  }
}

function customerOf({ type, data: { object } }: Stripe.Event): string | undefined {
  if (!handled.has(type)) return undefined;
  if (object.object === "customer") return object.id;
  return "customer" in object && typeof object.customer === "string" ? object.customer : undefined;
}

/** Basic costs $119.99 from now on: a new price of the same product, and the old one is archived. */
async function raiseBasic(shop: Shop): Promise<Shop> {
  const old = await stripe.prices.retrieve(shop.basic);
  const dearer = await stripe.prices.create({
    product: String(old.product),
    currency: "usd",
    unit_amount: 11_999,
    recurring: { interval: "month" },
  });
  await stripe.prices.update(old.id, { active: false });
  const variables = exampleVariables({ siteUrl: site.url, portBase });
  await site.reconfigure({ ...variables, STRIPE_PRICE_BASIC: dearer.id });
  return { ...shop, basic: dearer.id };
}

/** A request to the site, with the prices that are sold on the day. */
function requestOn(sold: Shop): AppContext {
  const reading = readConfiguration({
    ...exampleVariables({ siteUrl: site.url, portBase }),
    STRIPE_PRICE_BASIC: sold.basic,
  });
  if (!reading.ok) throw new Error("The variables of the tests are no configuration.");
  return { configuration: reading.configuration, requestId: "year" } as AppContext;
}

/** What must have happened for the year to show anything about it. */
const mustHappen = [
  ...["up: changed", "up: declined", "up: leave", "down: scheduled", "kept", "cancelled"],
  ...["paused", "not paused", "ran again"],
  ...["up with a coupon", "account deleted"],
  ...["paid with another card", "refunded", "disputed and won", "disputed and lost"],
  ...["lost", "late", "twice"],
];

/** The prices of the running subscriptions. */
async function pricesPaid(): Promise<string[]> {
  const found = new Set<string>();
  for await (const { items } of stripe.subscriptions.list({ status: "active", limit: 100 }))
    for (const { price } of items.data) found.add(price.id);
  return [...found];
}

function wrong(here: Map<string, Right>, there: Map<string, Right>, unheard: ReadonlySet<string>) {
  return [...there].flatMap(([customer, atStripe]) => {
    const ours = here.get(customer) ?? "none";
    return ours === atStripe || unheard.has(customer) ? [] : [{ customer, atStripe, ours }];
  });
}

/** No renewal of a subscription is charged twice. */
async function renewalsChargedTwice(): Promise<string[]> {
  const seen = new Set<string>();
  const duplicates: string[] = [];
  for await (const invoice of stripe.invoices.list({ status: "paid", limit: 100 })) {
    if (invoice.billing_reason !== "subscription_cycle") continue;
    const of = invoice.parent?.subscription_details?.subscription;
    const period = `${of} ${invoice.period_end}`;
    if (seen.has(period)) duplicates.push(period);
    seen.add(period);
  }
  return duplicates;
}

/** Requests that Stripe refused, but for cards: no person causes any other refusal here. */
async function refusedRequests(): Promise<string[]> {
  const refused = await requestsRefused();
  return refused
    .filter(({ status }) => status !== 402)
    .map(({ method, path, refusal }) => `${method} ${path}: ${refusal}`);
}

/** A renewal during a pause is void; no void invoice took money, and nothing was taken from a credit balance for it. */
async function voidInvoicesOfMoney(): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, amount_paid, billing_reason } of stripe.invoices.list({
    status: "void",
    limit: 100,
  }))
    if (billing_reason === "subscription_cycle" && amount_paid > 0) found.push(id);
  return found;
}

test.each(seedsOf("test/proof/billing/year.test.ts"))(
  "a simulated year of 1,000 customers with coupons, changes, pauses, failed cards, refunds, disputes, deletions, a price change and lost webhooks ends equal to Stripe, its books to the cent, no request is refused that no person caused, and each day everybody whose news has arrived has the right rights (seed %i)",
  async (seed) => {
    const random = seededRandom(seed);
    const post = postOffice(random);
    const everybody: Person[] = [];
    const record: YearRecord = { counts: new Map(), charged: [], odd: [] };
    // The year ends now: the site's own clock is never behind what it reads.
    const start = Math.floor(Date.now() / 1000) - days * day - day;
    await stripeControl("clock", { startAt: start });
    const shirts = await stripe.products.create({ name: "T-shirt of the month" });
    const shirt = await stripe.prices.create({
      product: shirts.id,
      currency: "usd",
      unit_amount: 100,
      recurring: { interval: "month" },
    });
    const coupons = [
      await stripe.coupons.create({ percent_off: 15, duration: "forever" }),
      await stripe.coupons.create({
        ...{ amount_off: 1_999, currency: "usd" },
        ...{ duration: "repeating", duration_in_months: 2 },
      }),
    ].map(({ id }) => id);
    let shop: Shop = { ...prices, foreign: shirt.id, coupons };
    const book = ledger(
      new Map<string, Right>([
        ["prod_local_basic", "basic"],
        ["prod_local_pro", "pro"],
      ]),
    );
    let last = (await stripe.events.list({ limit: 1 })).data[0]?.id;
    let wrongUnheard = 0;

    for (let today = 1; today <= days; today++) {
      await stripeControl("clock", { advanceTo: start + today * day });
      if (today === dayOfPriceChange) shop = await raiseBasic(shop);
      const bought = Math.ceil((Math.min(today, daysOfPurchases) * people) / daysOfPurchases);
      const numbers = Array.from(
        { length: bought - everybody.length },
        (_, index) => everybody.length + index + 1,
      );
      if (numbers.length > 0) everybody.push(...(await newPeople(random, shop, numbers)));
      const active = random.shuffled(everybody).slice(0, actsADay);
      const context = requestOn(shop);
      const acts = active.map((person) => nextAct({ random, shop, context, record }, person));
      for (const act of acts) await act();

      const events = await newEvents(last);
      last = events.at(-1)?.id ?? last;
      const letters = new Map<string, Stripe.Event>();
      for (const event of events) {
        book.note(event);
        const customer = customerOf(event);
        if (customer) letters.set(customer, event);
      }
      for (const [customer, event] of letters) post.take(event, customer, today);
      await post.handOver(today);

      const passes = today % daysBetweenPasses === 0 || today === days;
      if (passes) {
        const [here, there] = [await rightsHere(), book.rights()];
        wrongUnheard += wrong(here, there, new Set()).length;
        await beginAnew();
        await runUntilDone(site);
        post.unheard.clear();
      }
      const mistakes = wrong(await rightsHere(), book.rights(), post.unheard);
      const refused = await refusedRequests();
      expect({ today, mistakes: mistakes.slice(0, 3), refused }).toEqual({
        today,
        mistakes: [],
        refused: [],
      });
    }

    expect(everybody).toHaveLength(people);
    expect(wrongUnheard, "too few letters were lost to show anything").toBeGreaterThan(20);
    expect(post.counts.late).toBeGreaterThan(50);
    expect(record.odd).toEqual([]);
    expect(record.charged.filter((each) => each.quoted !== each.charged)).toEqual([]);
    expect(await pricesPaid(), "the price of the past and the present one are both paid").toEqual(
      expect.arrayContaining([prices.basic, shop.basic]),
    );
    const happened: Record<string, number> = {
      ...Object.fromEntries(record.counts),
      ...post.counts,
    };
    console.log(`Seed ${seed}: ${JSON.stringify(happened)}`);
    const never = mustHappen.filter((what) => !happened[what]);
    expect(never, "it never happened, so nothing is shown about it").toEqual([]);
    expect(await renewalsChargedTwice()).toEqual([]);
    expect(await voidInvoicesOfMoney()).toEqual([]);
    const books = await differingBooks();
    expect({ differ: books.length, first: books.slice(0, 3) }).toEqual({ differ: 0, first: [] });
    const differing = await differingCustomers();
    expect({ differ: differing.length, first: differing.slice(0, 3) }).toEqual({
      differ: 0,
      first: [],
    });
  },
  1_800_000,
);
