import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";

/**
 * What the deployment of a server is called, and its newest version, as the visitor may read it; undefined where it cannot
 * be read or is gone.
 */
export async function serverDeployment(
  supabase: SupabaseClient<Database>,
  { deployment }: { deployment: string },
): Promise<{ name: string; version: number } | undefined> {
  const { data, error } = await supabase
    .from("deployments")
    .select("name, version")
    .eq("id", deployment)
    .maybeSingle();
  if (error) log.error("The deployment of a server could not be read", describeError(error));
  return data ?? undefined;
}
