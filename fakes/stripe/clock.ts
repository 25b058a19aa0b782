import { AsyncLocalStorage } from "node:async_hooks";

/** What an account's time is read from. */
export type ClockState = {
  /** How many seconds the account's time is ahead of the real one. */
  clockAhead: number;
};

const clocks = new AsyncLocalStorage<{ state: ClockState; at?: number }>();

/** Runs something by the clock of an account: `now()` inside is that account's time. */
export function byClockOf<Result>(state: ClockState, run: () => Result): Result {
  return clocks.run({ state }, run);
}

/** Runs something as if it happened at the given second, as what is due does while time is moved on. */
export function asOf<Result>(state: ClockState, at: number, run: () => Result): Result {
  return clocks.run({ state, at }, run);
}

/** The current time in seconds, as Stripe counts it; the account's own, which may be ahead. */
export function now(): number {
  const clock = clocks.getStore();
  return clock?.at ?? realNow() + (clock?.state.clockAhead ?? 0);
}

/** The real time in seconds. */
export function realNow(): number {
  return Math.floor(Date.now() / 1000);
}
