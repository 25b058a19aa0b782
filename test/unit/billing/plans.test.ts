import { expect, test } from "vitest";
import { offers, planOptions, plans } from "../../../app/content/plans.ts";

test("the screens name the four prices as they are specified", () => {
  const [basic, pro] = plans;
  expect([basic, pro].map(({ price, interval }) => `${price} per ${interval}`)).toEqual([
    "$109.99 per month",
    "$999.99 per year",
  ]);
  expect(planOptions.map(({ priceLabel }) => priceLabel)).toEqual(["$109.99/month", "$999/year"]);
});

test("who pays by the year saves what the sign-up dialog says", () => {
  const [, yearly] = planOptions;
  expect(yearly.savings).toBe("Save over $300");
  expect(12 * offers.monthly.amount - offers.yearly.amount).toBeGreaterThan(300_00);
});
