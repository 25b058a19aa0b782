import { describe, expect, test } from "vitest";
import { priceWords } from "../../../../app/features/billing/subscriptions/price-words.ts";
import {
  comingEvents,
  describeSubscription,
} from "../../../../app/features/billing/subscriptions/subscription-words.ts";

const now = Date.parse("2027-02-10T12:00:00Z");

const price = {
  unit_amount: 10_999,
  currency: "usd",
  billing_interval: "month",
  interval_count: 1,
  quantity: 1,
  discounts: [],
  tax: "none",
};

describe("a price says what is really paid", () => {
  test.each([
    ["as it is", {}, "$109.99 per month", []],
    ["for several", { quantity: 3 }, "$329.97 per month", ["3 × $109.99"]],
    ["every few months", { interval_count: 3 }, "$109.99 every 3 months", []],
    [
      "less a percentage that ends",
      { discounts: [{ percentOff: 20, endsAt: "2027-03-03T09:00:00Z" }] },
      "$87.99 per month",
      ["20% off $109.99 until March 3, 2027"],
    ],
    [
      "less an amount for good",
      { discounts: [{ amountOff: 999, endsAt: null }] },
      "$100 per month",
      ["$9.99 off $109.99"],
    ],
    [
      "whole again when the discount is over",
      { discounts: [{ percentOff: 20, endsAt: "2027-02-01T00:00:00Z" }] },
      "$109.99 per month",
      [],
    ],
    [
      "never below nothing",
      { discounts: [{ amountOff: 99_999, endsAt: null }] },
      "$0 per month",
      ["$999.99 off $109.99"],
    ],
    ["with its tax", { tax: "included" }, "$109.99 per month, tax included", []],
    ["without its tax", { tax: "added" }, "$109.99 per month plus tax", []],
    [
      "as former code kept it",
      { quantity: null, interval_count: null, tax: null },
      "$109.99 per month",
      [],
    ],
    ["where Stripe has no single amount", { unit_amount: null }, "Custom pricing", []],
    ["where what is kept cannot be read", { discounts: "20%" }, "$109.99 per month", []],
  ])("%s", (_, terms, words, details) => {
    expect(priceWords({ ...price, ...terms }, now)).toEqual({ price: words, details });
  });
});

const row = {
  status: "active",
  cancel_at: null,
  current_period_end: "2027-03-03T09:00:00Z",
  ended_at: null,
  end_reason: null,
  paused_from: null,
  paused_until: null,
};
const pause = { paused_from: "2027-03-03T09:00:00Z", paused_until: "2027-05-02T09:00:00Z" };

describe("a status says what is true, and what helps", () => {
  test.each([
    ["paused", { status: "paused" }, "Nothing is owed."],
    ["to be paused", pause, "Paused from March 3, 2027 until May 2, 2027."],
    [
      "paused by its team",
      { status: "paused", ...pause },
      "paused until May 2, 2027: nothing is charged, and nobody watches your servers.",
    ],
    ["unpaid", { status: "unpaid" }, "Pay the open invoice under Billing"],
    ["past due", { status: "past_due" }, "Billing says why, and how to pay it."],
    ["incomplete", { status: "incomplete" }, "Confirm it under Billing within a day"],
    ["never begun", { status: "incomplete_expired" }, "Nothing was charged."],
    [
      "ended for want of money",
      { status: "canceled", ended_at: "2027-02-03T09:00:00Z", end_reason: "payment_failed" },
      "Your plan ended on February 3, 2027, because its payment failed.",
    ],
    [
      "ended by wish",
      {
        status: "canceled",
        ended_at: "2027-02-03T09:00:00Z",
        end_reason: "cancellation_requested",
      },
      "Your plan ended on February 3, 2027. Choose a plan to go on.",
    ],
  ])("%s", (_, terms, words) => {
    expect(describeSubscription({ ...row, ...terms }).advice).toContain(words);
  });

  test("a paused plan gets no advice to pay, and a failed renewal none to change the card", () => {
    expect(describeSubscription({ ...row, status: "paused" }).advice).not.toContain("invoice");
    expect(describeSubscription({ ...row, status: "past_due" }).advice).not.toContain("card");
  });
});

const plain = {
  ...row,
  currency: "usd",
  changes_at: null,
  next_plan: null,
  next_amount: null,
  next_interval: null,
  pending_until: null,
  card_brand: "visa",
  card_last4: "4242",
  card_expires_at: "2030-12-31",
};

describe("what is going to happen is said", () => {
  test.each([
    ["nothing, where nothing is", {}, []],
    [
      "a change that is planned",
      {
        changes_at: "2027-03-03T09:00:00Z",
        next_plan: "basic",
        next_amount: 10_999,
        next_interval: "month",
      },
      ["Changes to Basic ($109.99 per month) on March 3, 2027."],
    ],
    [
      "a change that waits for its payment",
      { pending_until: "2027-02-11T08:30:00Z" },
      [expect.stringContaining("waits for its payment until February 11, 2027 at 8:30 AM UTC.")],
    ],
    ["no change whose wait is over", { pending_until: "2027-02-10T08:30:00Z" }, []],
    [
      "a card that ends before the next payment",
      { card_expires_at: "2027-02-28" },
      ["Your card (Visa ending in 4242) works until February 28, 2027. Change it under Billing."],
    ],
    [
      "a card that has ended",
      { card_expires_at: "2027-01-31" },
      [expect.stringContaining("Your card (Visa ending in 4242) has expired.")],
    ],
    [
      "no card that ends, where the plan ends first",
      { card_expires_at: "2027-02-28", cancel_at: "2027-03-03T09:00:00Z" },
      [],
    ],
    ["nothing of a plan that is over", { status: "canceled", card_expires_at: "2027-01-31" }, []],
  ])("%s", (_, terms, words) => {
    expect(comingEvents({ ...plain, ...terms }, now)).toEqual(words);
  });
});
