import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { type AskingFor, authServerFetch } from "~/platform/auth-server/auth-server-fetch.server";

/**
 * A client of the auth server without a session, for mails and codes. It stores nothing: so no cookie reveals
 * whether an account exists, and a mailed link works in any browser.
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
