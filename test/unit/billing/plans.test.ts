import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  offerKeys,
  offers,
  planOptions,
  planQuotas,
  plans,
  priceVariables,
} from "../../../app/content/plans.ts";

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

test("the documents name the amounts and the limits of the plans as they are", () => {
  const variables = readFileSync(".dev.vars.example", "utf8");
  for (const offer of offerKeys) {
    const { amount, interval } = offers[offer];
    const price = `$${(amount / 100).toFixed(2).replace(".00", "")} a ${interval}.`;
    expect(variables).toMatch(new RegExp(`${escaped(price)}\n${priceVariables[offer]}=`));
  }
  const api = readFileSync("app/content/docs/api.md", "utf8");
  const rows = {
    "Events on a day (UTC)": "usageEventsADay",
    "Identities on a day of the statistics": "usageIdentitiesADay",
    Allowances: "tokenAllowances",
  } as const;
  for (const [name, quota] of Object.entries(rows)) {
    const figures = [planQuotas.none, planQuotas.basic, planQuotas.pro].map((plan) =>
      plan[quota].toLocaleString("en-US"),
    );
    expect(api).toMatch(new RegExp([`\\| ${escaped(name)}`, ...figures, ""].join(" +\\| ")));
  }
});

test("no other file that ships or sets Stripe up writes an amount of a plan", () => {
  const amounts = Object.values(offers).map(({ amount }) => `${amount}`);
  const printed = Object.values(offers).map(({ amount }) => (amount / 100).toFixed(2));
  const others = globSync(["{app,workers,scripts}/**/*.{ts,tsx,mjs}"]).filter((file) => {
    const code = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    const digits = code.replaceAll("_", "");
    return (
      file !== "app/content/plans.ts" &&
      [...amounts, ...printed].some((amount) => new RegExp(`\\b${amount}\\b`).test(digits))
    );
  });
  expect(others).toEqual([]);
});

function escaped(text: string): string {
  return text.replace(/[$.()]/g, "\\$&");
}
