import { expect, test } from "vitest";
import {
  idempotencyKey,
  keyChangesAround,
} from "../../../app/features/billing/stripe/idempotency-key.ts";

const noon = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;

test("a retry within moments has the same key", () => {
  expect(idempotencyKey("order-1", noon + 20_000)).toBe(idempotencyKey("order-1", noon));
  expect(idempotencyKey("order-2", noon)).not.toBe(idempotencyKey("order-1", noon));
});

test("a failure that Stripe keeps under a key is behind somebody within minutes", () => {
  expect(idempotencyKey("order-1", noon + 6 * minute)).not.toBe(idempotencyKey("order-1", noon));
});

test("an order at the change of keys knows that another one may have had the other key", () => {
  expect(keyChangesAround(noon - 1_000, noon + 1_000)).toBe(true);
  expect(keyChangesAround(noon + 10_000, noon + 11_000)).toBe(true);
  expect(keyChangesAround(noon + minute, noon + minute + 1_000)).toBe(false);
});
