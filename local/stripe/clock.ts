import { AsyncLocalStorage } from "node:async_hooks";

/** What an account's time is read from. */
export type ClockState = {
  /** How many seconds the account's time is ahead of the real one. */
  clockAhead: number;
};

const clocks = new AsyncLocalStorage<ClockState>();

/** Runs something by the clock of an account: `now()` inside is that account's time. */
export function byClockOf<Result>(state: ClockState, run: () => Result): Result {
  return clocks.run(state, run);
}

/** The current time in seconds, as Stripe counts it; the account's own, which may be ahead. */
export function now(): number {
  return Math.floor(Date.now() / 1000) + (clocks.getStore()?.clockAhead ?? 0);
}
