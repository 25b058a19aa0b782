import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";

/** What the deployment of a server is called, as the visitor may read it; undefined where it cannot be read or is gone. */
export async function deploymentName(
  supabase: SupabaseClient<Database>,
  { deployment }: { deployment: string },
): Promise<string | undefined> {
  const { data, error } = await supabase
    .from("deployments")
    .select("name")
    .eq("id", deployment)
    .maybeSingle();
  if (error) log.error("The deployment of a server could not be read", describeError(error));
  return data?.name;
}
