import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { type AskingFor, authServerFetch } from "~/platform/auth-server/auth-server-fetch.server";

/**
 * The auth server as a stranger asks it for mail and codes. It keeps nothing: no cookie then tells
 * whether an account exists, and a link works in another browser than the one that asked.
 */
export function mailClient(asking: AskingFor): SupabaseClient {
  const { configuration } = asking;
  return createClient(configuration.SUPABASE_URL, configuration.SUPABASE_PUBLISHABLE_KEY, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      flowType: "implicit",
    },
    global: { fetch: authServerFetch(asking) },
  });
}
