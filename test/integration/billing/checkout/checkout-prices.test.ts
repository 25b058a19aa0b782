import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { lookupKeyOf, type OfferKey, offerKeys, offers } from "../../../../app/content/plans.ts";
import type { Variables } from "../../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { prices, sessionRequests, stripe } from "../../../support/billing/stripe-account.ts";
import { userIdOf } from "../../../support/database/database.ts";
import { type FaultProxy, startFaultProxy } from "../../../support/faults/fault-proxy.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { fakes, resetFakes } from "../../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../../support/site/own-site.ts";
import { Visitor } from "../../../support/site/visitor.ts";

const email = "customer.one@example.com";
const sentence =
  "Stripe would charge another price than we show, so no checkout was started and nothing was charged. Please tell us on /contact.";
const variableOf = {
  basic: "STRIPE_PRICE_BASIC",
  pro: "STRIPE_PRICE_PRO",
  monthly: "STRIPE_PRICE_MONTHLY",
  yearly: "STRIPE_PRICE_YEARLY",
  basicYearly: "STRIPE_PRICE_BASIC_YEARLY",
  proMonthly: "STRIPE_PRICE_PRO_MONTHLY",
} as const satisfies Record<OfferKey, string>;

let stripeProxy: FaultProxy;
let site: RunningWorker;

beforeAll(async () => {
  stripeProxy = await startFaultProxy(fakes().stripe.url);
  site = await startOwnWorker((siteUrl) => variables(siteUrl));
});

afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await stripeProxy?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await resetFakes();
  stripeProxy.behave();
});

function variables(siteUrl: string, overrides: Variables = {}): Variables {
  return {
    ...exampleVariables({ siteUrl, portBase }),
    STRIPE_API_URL: stripeProxy.url,
    ...overrides,
  };
}

/** From now on the site is configured like this, and remembers nothing of before. */
async function configure(overrides: Variables): Promise<void> {
  await site.reconfigure(variables(site.url, overrides));
  site.takeLogs();
}

/** Presses the button of an offer: on /pricing, in the dialog without script, or at the API. */
async function order(visitor: Visitor, offer: OfferKey, way: "form" | "api", priceId: string) {
  if (way === "form" && (offer === "basic" || offer === "pro")) {
    return new Visitor(site.url).post("/pricing", { plan: offer });
  }
  if (way === "form" && (offer === "basicYearly" || offer === "proMonthly")) {
    return visitor.post("/dashboard/plan", { intent: "buy", plan: offer });
  }
  if (way === "form") return visitor.post("/signup", { option: offer });
  return visitor.request("/api/create-checkout-session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ priceId, userId: await userIdOf(email) }),
  });
}

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle(email);
  return visitor;
}

const pairs = offerKeys.flatMap((one, index) =>
  offerKeys.slice(index + 1).map((other) => [one, other] as const),
);

testInProof.for(pairs)(
  "with the prices of %s and %s swapped no session is created",
  async ([a, b]) => {
    // As `npm run stripe:setup` leaves them.
    for (const offer of offerKeys)
      await stripe.prices.update(prices[offer], { lookup_key: lookupKeyOf(offer) });
    const configured = { ...prices, [a]: prices[b], [b]: prices[a] };
    await configure({ [variableOf[a]]: configured[a], [variableOf[b]]: configured[b] });
    const visitor = await signedIn();
    for (const offer of [a, b]) {
      for (const way of ["form", "api"] as const) {
        const response = await order(visitor, offer, way, configured[offer]);
        expect(response.status, `${offer} by ${way}`).toBe(503);
        const answer = await response.text();
        expect(answer, `${offer} by ${way}`).toContain(sentence);
        if (way === "api") expect(JSON.parse(answer).code).toBe("price-differs");
        const requestId = response.headers.get("x-request-id");
        expect(errorLines().filter((line) => line.requestId === requestId)).toEqual([
          {
            level: "error",
            message: "A price at Stripe is not what we show",
            requestId,
            offer,
            price: configured[offer],
            differences: expect.stringMatching(/ instead of /),
          },
        ]);
      }
    }
    expect(await sessionRequests()).toEqual([]);
    const others = offerKeys.filter((offer) => offer !== a && offer !== b);
    for (const offer of others) {
      expect((await order(visitor, offer, "form", configured[offer])).status).toBe(303);
    }
  },
);

let lines: Record<string, unknown>[] = [];

function errorLines(): Record<string, unknown>[] {
  lines = [...lines, ...site.takeLogs()];
  return lines.filter(({ level }) => level === "error");
}

/** A price of the test's own, in the place of Basic's. */
async function inPlaceOfBasic(make: () => Promise<string>): Promise<Response> {
  const id = await make();
  await configure({ STRIPE_PRICE_BASIC: id });
  return new Visitor(site.url).post("/pricing", { plan: "basic" });
}

type NewPrice = Parameters<typeof stripe.prices.create>[0];

async function makePrice(price: Partial<NewPrice>, plan?: string): Promise<string> {
  const product = await stripe.products.create({
    name: "Own",
    ...(plan ? { metadata: { plan } } : {}),
  });
  const { id } = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: offers.basic.amount,
    recurring: { interval: "month" },
    ...price,
  });
  return id;
}

test.for<[what: string, make: () => Promise<string>, differences: string]>(
  sample(
    [
      [
        "costs another amount",
        () => makePrice({ unit_amount: 11_999 }),
        "amount 11999 instead of 10999",
      ],
      ["is in euro", () => makePrice({ currency: "eur" }), "currency eur instead of usd"],
      [
        "is charged each year",
        () => makePrice({ recurring: { interval: "year" } }),
        "interval year instead of month",
      ],
      [
        "is charged every two months",
        () => makePrice({ recurring: { interval: "month", interval_count: 2 } }),
        "interval 2 months instead of month",
      ],
      ["is archived", () => makePrice({ active: false }), "state archived instead of active"],
      ["belongs to the other plan", () => makePrice({}, "pro"), "plan pro instead of basic"],
      ["is unknown to Stripe", async () => "price_of_another_account", "Stripe does not know it"],
    ],
    1,
  ),
)("a price that %s is not sold", async ([, make, differences]) => {
  const response = await inPlaceOfBasic(make);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain(sentence);
  expect(errorLines().at(-1)).toMatchObject({ offer: "basic", differences });
  expect(await sessionRequests()).toEqual([]);
});

testInProof(
  "a price of a product without a mark, and one for two offers of the same terms, are sold",
  async () => {
    expect((await inPlaceOfBasic(() => makePrice({}))).status).toBe(303);
    const shared = await makePrice({ lookup_key: "livekit_deploy_basic" }, "basic");
    await configure({ STRIPE_PRICE_BASIC: shared, STRIPE_PRICE_MONTHLY: shared });
    const visitor = await signedIn();
    expect((await visitor.post("/signup", { option: "monthly" })).status).toBe(303);
  },
);

test("an open session of former terms is closed when the new ones are not sold yet", async () => {
  await configure({});
  const visitor = (await signedIn()).twin(site.url);
  expect((await visitor.post("/pricing", { plan: "basic" })).status).toBe(303);
  const open = async () => (await stripe.checkout.sessions.list({ status: "open" })).data.length;
  expect(await open()).toBe(1);
  await configure({ STRIPE_PRICE_BASIC: await makePrice({ active: false }) });
  expect((await visitor.post("/pricing", { plan: "basic" })).status).toBe(503);
  expect(await open()).toBe(0);
});

testInProof(
  "a price that was checked is remembered, one that differs is looked at again",
  async () => {
    await configure({});
    const visitor = new Visitor(site.url);
    const readings = () =>
      stripeProxy.requests.filter(({ path }) => path.startsWith("/v1/prices/"));
    await visitor.post("/pricing", { plan: "basic" });
    await visitor.post("/pricing", { plan: "basic" });
    expect(readings()).toHaveLength(1);

    const archived = await makePrice({ active: false });
    await configure({ STRIPE_PRICE_BASIC: archived });
    expect((await visitor.post("/pricing", { plan: "basic" })).status).toBe(503);
    await stripe.prices.update(archived, { active: true });
    expect((await visitor.post("/pricing", { plan: "basic" })).status).toBe(303);
  },
);

type Session = Record<string, unknown> & { line_items: { data: Record<string, unknown>[] } };

const sessionChanges: [what: string, change: (session: Session) => void, differences: string][] = [
  [
    "another amount",
    (session) => Object.assign(session, { amount_subtotal: 99_999 }),
    "amount 99999 instead of 10999",
  ],
  [
    "another currency",
    (session) => Object.assign(session, { currency: "eur" }),
    "currency eur instead of usd",
  ],
  [
    "another interval",
    ({ line_items }) =>
      Object.assign(line_items.data[0]?.price ?? {}, {
        recurring: { interval: "year", interval_count: 1 },
      }),
    "interval year instead of month",
  ],
  [
    "more than one",
    ({ line_items }) => Object.assign(line_items.data[0] ?? {}, { quantity: 2 }),
    "quantity 2 instead of 1",
  ],
  [
    "local currencies",
    (session) => Object.assign(session, { adaptive_pricing: { enabled: true } }),
    "adaptive pricing true instead of false",
  ],
];

test.for(
  sample(
    [
      ...sessionChanges.map((change) => ["guest", ...change] as const),
      ...sessionChanges.slice(0, 1).map((change) => ["person with an account", ...change] as const),
    ],
    1,
  ),
)(
  "a %s's session with %s is closed before anybody can pay it",
  async ([buyer, , change, differences]) => {
    await configure({});
    const visitor = buyer === "guest" ? new Visitor(site.url) : await signedIn();
    stripeProxy.behave(async (request, forward) => {
      const answer = await forward();
      if (request.method !== "POST" || request.path !== "/v1/checkout/sessions") return answer;
      const session: Session = JSON.parse(Buffer.from(answer.body).toString());
      change(session);
      return { ...answer, body: JSON.stringify(session) };
    });
    const response = await visitor.post("/pricing", { plan: "basic" });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain(sentence);
    const sessions = (await stripe.checkout.sessions.list()).data;
    expect(sessions.map(({ status }) => status)).toEqual(["expired"]);
    const requestId = response.headers.get("x-request-id");
    expect(errorLines().filter((line) => line.requestId === requestId)).toEqual([
      {
        level: "error",
        message: "A Checkout Session is not what we show",
        requestId,
        offer: "basic",
        price: prices.basic,
        session: sessions[0]?.id,
        differences,
      },
    ]);
  },
);

test("an open session that was made otherwise is not used again", async () => {
  await configure({});
  const visitor = await signedIn();
  await visitor.post("/pricing", { plan: "basic" });
  const [first] = (await stripe.checkout.sessions.list()).data;
  stripeProxy.behave(async (request, forward) => {
    const answer = await forward();
    if (request.method !== "GET" || !request.path.startsWith("/v1/checkout/sessions?"))
      return answer;
    const list = JSON.parse(Buffer.from(answer.body).toString());
    for (const session of list.data)
      if (session.id === first?.id) session.adaptive_pricing = { enabled: true };
    return { ...answer, body: JSON.stringify(list) };
  });
  const again = await visitor.post("/pricing", { plan: "basic" });
  expect(again.status).toBe(303);
  const open = (await stripe.checkout.sessions.list({ status: "open" })).data;
  expect(open.map(({ url }) => url)).toEqual([again.headers.get("location")]);
  expect(open[0]?.id).not.toBe(first?.id);
});
