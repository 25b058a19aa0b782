import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withConstantTiming } from "~/features/auth/constant-timing.server";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

// The clock of this file is a fake one, which the tests move on: nobody waits.
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function durationOf(work: () => Promise<void>): Promise<number> {
  const start = Date.now();
  const ended = withConstantTiming(work).then(
    () => Date.now() - start,
    () => Date.now() - start,
  );
  await vi.runAllTimersAsync();
  return ended;
}

test.each([0, 1, 250, 999])("work of %i ms takes one second", async (ms) => {
  expect(await durationOf(() => after(ms))).toBe(1_000);
});

test("longer work takes the next whole second", async () => {
  expect(await durationOf(() => after(1_200))).toBe(2_000);
});

test("a failure takes as long as a success", async () => {
  const failing = async () => {
    await after(250);
    throw new Error("refused");
  };
  expect(await durationOf(failing)).toBe(1_000);
});
