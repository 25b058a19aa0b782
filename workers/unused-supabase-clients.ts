/**
 * Replaces the clients of Realtime, Storage and Edge Functions. `@supabase/supabase-js` always imports them and makes
 * the first two, but nothing here uses them, so `vite.config.ts` names this module in their place to keep them out of
 * the upload. It exports what `@supabase/supabase-js` imports of them.
 */
export class RealtimeClient {
  /** Called with each new access token. */
  setAuth(): void {}
}

export class StorageClient {}
export class StorageApiError extends Error {}

export class FunctionsClient {}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends Error {}
export class FunctionsHttpError extends Error {}
export class FunctionsRelayError extends Error {}
export const FunctionRegion = {};
