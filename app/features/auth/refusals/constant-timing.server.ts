/** A failed password, a mail that went out and one that did not differ by less than this. */
const beatMs = 1_000;

/**
 * Does work whose duration would tell whether an account exists, and answers on the next whole
 * second after the start. Waiting costs a Worker no time of its own.
 */
export async function withConstantTiming<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = Date.now();
  try {
    return await work();
  } finally {
    // The wait is the purpose: how long an answer took tells nothing.
    const spent = Date.now() - start;
    const rest = beatMs * Math.max(1, Math.ceil(spent / beatMs)) - spent;
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
