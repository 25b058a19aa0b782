/** How long Supabase may take before a page says that it is not there. */
const patienceMs = 8_000;
/** A connection that has ended meanwhile fails at once. */
const soonMs = 1_000;

/**
 * `fetch` that gives up: a hanging provider must not hang our page. A read of the database that fails
 * at once is tried once more. The clients' own repetitions are to be off: each would wait as long
 * again, and longer where a `Retry-After` says so.
 */
export const fetchWithTimeout: typeof fetch = async (input, init) => {
  const signals = [AbortSignal.timeout(patienceMs), ...(init?.signal ? [init.signal] : [])];
  // No provider leads us on: followed, a redirect would take our keys to a host that nobody configured.
  const ask = () => fetch(input, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
  const began = Date.now();
  try {
    return await ask();
  } catch (error) {
    const isRead = /^(GET|HEAD)$/.test(init?.method ?? "") && /\/rest\/v1\//.test(String(input));
    if (!isRead || Date.now() - began > soonMs) throw error;
    return ask();
  }
};
