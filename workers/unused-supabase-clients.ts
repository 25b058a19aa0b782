/**
 * Supabase's client makes a client of Realtime and one of Storage whenever it is made, and offers Edge
 * Functions. Nothing here uses the three, so `vite.config.ts` names this module in their place: without it
 * they are a sixteenth of the upload. It exports what `@supabase/supabase-js` imports of them.
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
