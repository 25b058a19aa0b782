import { expect, test } from "vitest";
import { lookupKeyOf, type OfferKey, offerKeys, offers } from "~/content/plans";
import { changesFrom, termsOf } from "~/features/billing/plan-change/terms";
import { basicPriceIds, priceOnPlanPage } from "~/features/billing/prices/prices";
import { readConfiguration } from "~/platform/env/configuration.server";
import { exampleVariables } from "../../../../fakes/dev-vars.ts";

const reading = readConfiguration(
  exampleVariables({ siteUrl: "http://localhost:8787", portBase: 54_500 }),
);
if (!reading.ok) throw new Error(reading.problems.join("; "));
const { configuration } = reading;

const changes = (offer: OfferKey) =>
  changesFrom(termsOf(offer), offer).map(({ offer: to, direction }) => `${to} ${direction}`);

test("each plan is offered in both rhythms: the larger and the longer at once, the others at the end", () => {
  expect(changes("basic")).toEqual(["pro up", "basicYearly up", "proMonthly up"]);
  expect(changes("pro")).toEqual(["basic down", "basicYearly down", "proMonthly down"]);
  expect(changes("basicYearly")).toEqual(["basic down", "pro up", "proMonthly up"]);
  expect(changes("proMonthly")).toEqual(["basic down", "pro up", "basicYearly down"]);
  expect(changes("monthly")).toEqual(["yearly up", "basicYearly up", "proMonthly up"]);
});

test("nobody is offered two prices of one plan in one rhythm, nor the one they have", () => {
  for (const offer of offerKeys) {
    const rhythms = [offer, ...changesFrom(termsOf(offer), offer).map((each) => each.offer)].map(
      (key) => `${offers[key].plan} ${offers[key].interval}`,
    );
    expect([offer, new Set(rhythms).size]).toEqual([offer, rhythms.length]);
  }
});

test("a year costs less than twelve months of its plan, and Pro more than Basic", () => {
  expect(offers.basicYearly.amount).toBeLessThan(12 * offers.basic.amount);
  expect(offers.pro.amount).toBeLessThan(12 * offers.proMonthly.amount);
  expect(offers.pro.amount).toBeGreaterThan(offers.basicYearly.amount);
  expect(offers.proMonthly.amount).toBeGreaterThan(offers.basic.amount);
});

test("both rhythms of Basic count as Basic where a row names no plan", () => {
  const { STRIPE_PRICE_BASIC, STRIPE_PRICE_MONTHLY, STRIPE_PRICE_BASIC_YEARLY } = configuration;
  expect(basicPriceIds(configuration)).toEqual([
    STRIPE_PRICE_BASIC,
    STRIPE_PRICE_MONTHLY,
    STRIPE_PRICE_BASIC_YEARLY,
  ]);
  expect(lookupKeyOf("basicYearly")).toBe("livekit_deploy_basic_yearly");
});

test("the plan page sells what it shows and nothing else", () => {
  expect(priceOnPlanPage(configuration, "proMonthly")).toBe(configuration.STRIPE_PRICE_PRO_MONTHLY);
  expect(priceOnPlanPage(configuration, "basic")).toBe(configuration.STRIPE_PRICE_BASIC);
  for (const other of ["monthly", "yearly", "enterprise", "", null]) {
    expect(priceOnPlanPage(configuration, other)).toBeUndefined();
  }
});
