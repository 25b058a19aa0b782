/** The timeout of all tries together. Supabase, Google and Resend are called with it. */
const timeoutMs = 8_000;
/** A try that fails within this time is taken for a kept connection that the other side had closed. */
const soonMs = 1_000;

/**
 * A `fetch` with a timeout, so that a slow provider does not keep our pages waiting. Reading from Supabase, its
 * database or its auth server, is tried a second time when the first try fails within a second. Callers must turn off
 * the retries of their clients: each retry would take as long again, or as long as `Retry-After` says.
 */
export const fetchWithTimeout: typeof fetch = async (input, init) => {
  const signals = [AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
  // Redirects are not followed: that would send our keys to a host that nobody configured.
  const ask = () => fetch(input, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
  const began = Date.now();
  try {
    return await ask();
  } catch (error) {
    if (!readsSupabase(input, init) || Date.now() - began > soonMs) throw error;
    return ask();
  }
};

function readsSupabase(input: Parameters<typeof fetch>[0], init?: RequestInit): boolean {
  const { method, url } = new Request(input, { method: init?.method ?? "GET" });
  return /^(GET|HEAD)$/.test(method) && /^\/(rest|auth)\/v1\//.test(new URL(url).pathname);
}
