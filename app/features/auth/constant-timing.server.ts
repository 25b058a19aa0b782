/**
 * All durations are rounded up to a multiple of this. A wrong password, a mail that was sent and one that was not
 * differ by less, so they usually take the same time.
 */
const stepMs = 1_000;

/**
 * Runs `work` and settles a whole number of seconds after the start. Without this the duration would reveal
 * whether an account exists. Waiting costs a Worker no CPU time.
 */
export async function withConstantTiming<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = Date.now();
  try {
    return await work();
  } finally {
    // This runs after a failure too, since the time of a failure must not reveal anything either.
    const elapsed = Date.now() - start;
    const rest = stepMs * Math.max(1, Math.ceil(elapsed / stepMs)) - elapsed;
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
