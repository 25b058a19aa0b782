import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { authServerFetch } from "~/platform/auth-server/auth-server-fetch.server";
import { type Caller, nobody } from "~/platform/caller";
import type { Configuration } from "~/platform/env/configuration.server";
import type { Database } from "./types";

export type ServiceClient = SupabaseClient<Database>;

/**
 * A database client that bypasses row-level security. It is for tables that people may not write to directly, or may
 * not read. Every query must name the person whose rows it means. What changes something in a workspace names the
 * caller: the audit log says from which network it was.
 */
export function serviceClient(
  configuration: Configuration,
  caller: Caller = nobody,
): ServiceClient {
  return createClient<Database>(configuration.SUPABASE_URL, configuration.SUPABASE_SECRET_KEY, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    db: { retry: false },
    global: {
      fetch: authServerFetch({ configuration, caller }),
      // The database shortens it, for the audit log.
      headers: caller.address ? { "x-caller-address": caller.address } : {},
    },
  });
}
