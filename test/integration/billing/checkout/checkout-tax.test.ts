import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Variables } from "../../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { prices, sessionRequests, stripe } from "../../../support/billing/stripe-account.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../../support/site/own-site.ts";
import { Visitor } from "../../../support/site/visitor.ts";

const everything = {
  STRIPE_TAX_IDS: "on",
  STRIPE_BILLING_ADDRESS: "on",
  STRIPE_TERMS_CONSENT: "on",
};

let site: RunningWorker;

beforeAll(async () => {
  site = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});

afterAll(() => site?.[Symbol.asyncDispose]());

beforeEach(resetFakes);

async function configure(variables: Variables): Promise<void> {
  await site.reconfigure({ ...exampleVariables({ siteUrl: site.url, portBase }), ...variables });
}

/** As `npm run stripe:setup` leaves the prices of a site with this setting. */
async function setTax(behavior: "inclusive" | "exclusive"): Promise<void> {
  for (const id of Object.values(prices))
    await stripe.prices.update(id, { tax_behavior: behavior });
}

/** A page's text; React parts its pieces by comments. */
async function textOf(path: string, visitor = new Visitor(site.url)): Promise<string> {
  const page = await (await visitor.request(path)).text();
  return page
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle("customer.one@example.com");
  return visitor;
}

test.for(
  sample(
    [
      ["included", "inclusive", "Tax is included."],
      ["added", "exclusive", "Tax is added at the checkout, where it applies."],
    ] as const,
    1,
  ),
)(
  "with tax %s the screens say so, and both checkouts have it calculated",
  async ([setting, behavior, words]) => {
    await setTax(behavior);
    await configure({ STRIPE_AUTOMATIC_TAX: setting, ...everything });
    expect(await textOf("/pricing")).toContain(words);
    const page = await (await new Visitor(site.url).request("/pricing")).text();
    expect(page).toContain(`"valueAddedTaxIncluded":${setting === "included"}`);
    const visitor = await signedIn();
    expect(await textOf("/signup", visitor)).toContain(words);

    const expected = {
      automatic_tax: { enabled: "true" },
      tax_id_collection: { enabled: "true" },
      billing_address_collection: "required",
      consent_collection: { terms_of_service: "required" },
    };
    const guest = await new Visitor(site.url).post("/pricing", { plan: "basic" });
    expect(guest.status).toBe(303);
    const known = await visitor.post("/signup", { option: "yearly" });
    expect(known.status).toBe(303);
    const [first, second] = (await sessionRequests()).map(({ params }) => params);
    expect(first).toMatchObject(expected);
    expect(first).not.toHaveProperty("customer_update");
    expect(second).toMatchObject({
      ...expected,
      customer_update: { address: "auto", name: "auto" },
    });
  },
);

testInProof(
  "without the settings nothing is collected, and the screens say that no tax is added",
  async () => {
    await configure({ STRIPE_TAX_IDS: "off" });
    const visitor = await signedIn();
    expect(await textOf("/pricing")).toContain("No tax is added.");
    expect(await textOf("/signup", visitor)).toContain("No tax is added.");
    const page = await (await new Visitor(site.url).request("/pricing")).text();
    expect(page).not.toContain("valueAddedTaxIncluded");
    await visitor.post("/pricing", { plan: "basic" });
    const [request] = await sessionRequests();
    expect(
      Object.keys(request?.params ?? {}).filter((name) => /tax|address|update|consent/.test(name)),
    ).toEqual([]);
  },
);

testInProof.for([
  ["included", "exclusive"],
  ["added", "inclusive"],
  ["included", undefined],
] as const)("with tax %s a price that says %s is not sold", async ([setting, behavior]) => {
  if (behavior) await setTax(behavior);
  await configure({ STRIPE_AUTOMATIC_TAX: setting });
  const response = await new Visitor(site.url).post("/pricing", { plan: "basic" });
  expect(response.status).toBe(503);
  expect(await response.text()).toContain("Stripe would charge another price than we show");
  expect(await sessionRequests()).toEqual([]);
});

testInProof("a checkout that was opened before tax was switched on is not used again", async () => {
  await configure({});
  const visitor = await signedIn();
  const before = await visitor.post("/pricing", { plan: "basic" });
  await setTax("exclusive");
  await configure({ STRIPE_AUTOMATIC_TAX: "added" });
  const after = await visitor.post("/pricing", { plan: "basic" });
  expect(after.status).toBe(303);
  expect(after.headers.get("location")).not.toBe(before.headers.get("location"));
  const open = (await stripe.checkout.sessions.list({ status: "open" })).data;
  expect(open.map(({ automatic_tax }) => automatic_tax.enabled)).toEqual([true]);
});
