/** How long Supabase may take before a page says that it is not there. */
const patienceMs = 8_000;

/** `fetch` that gives up: a hanging provider must not hang our page. */
export const impatientFetch: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    signal: AbortSignal.any([
      AbortSignal.timeout(patienceMs),
      ...(init?.signal ? [init.signal] : []),
    ]),
  });
