import { createClient } from "@supabase/supabase-js";
import type { Fakes } from "../../fakes/start-fakes.ts";
import { cookieValue, sessionCookieName } from "../support/auth/session-cookie.ts";
import { addCustomers } from "../support/database/many-rows.ts";

const account = { email: "bench@example.com", password: "only-for-the-benchmark" };

/**
 * Signs a customer in who has a running plan and ten deployments; answers the Cookie header of their
 * browser. Access tokens are signed with a published key, as at a hosted project.
 */
export async function signInCustomer(
  { addresses, supabase }: Fakes,
  publishableKey: string,
): Promise<string> {
  if (!supabase) throw new Error("The benchmark needs the local Supabase: see .dev.vars.example");
  await fetch(`${addresses.supabase.url}/_local/key-pair`, { method: "POST" });
  const client = createClient(addresses.supabase.url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  await client.auth.signUp(account);
  await supabase.query("update auth.users set email_confirmed_at = now()");
  const { data, error } = await client.auth.signInWithPassword(account);
  if (!data.session) throw new Error(`The customer was not signed in: ${error?.message}`);
  await addCustomers(supabase.query, { first: 1, count: 1, deploymentsEach: 10 });
  for (const table of ["customers", "deployments"]) {
    await supabase.query(`update public.${table} set user_id = $1`, [data.session.user.id]);
  }
  return `${sessionCookieName}=${cookieValue(data.session)}`;
}
