import type { SupabaseClient } from "@supabase/supabase-js";
import type { KnownServer } from "~/features/servers/state/server-record";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { isoOf } from "../iso-of";

/** A server by what the database knows of it. */
export type NamedServer = { id: string; deployment: string; name: string };

/** A server as the database's function `settle_fleets` takes it. */
export function knownRow(workspace: string, server: KnownServer) {
  const { id, deployment, name, enrolledAt, retiredAt } = server;
  return {
    ...{ id, workspace, deployment, name },
    enrolled: isoOf(enrolledAt),
    retired: isoOf(retiredAt) ?? null,
  };
}

/**
 * The connected servers of a workspace, newest first, as the visitor may read them: what lists show while the servers
 * Worker cannot be reached. One that was connected within the last hour may be missing. None where they cannot be read.
 */
export async function knownServers(
  supabase: SupabaseClient<Database>,
  workspace: { id: string },
): Promise<NamedServer[]> {
  const { data, error } = await supabase
    .from("servers")
    .select("id, deployment_id, name")
    .eq("workspace_id", workspace.id)
    .is("retired_at", null)
    .order("enrolled_at", { ascending: false });
  if (!error)
    return data.map(({ id, deployment_id: deployment, name }) => ({ id, deployment, name }));
  log.error("Known servers could not be read", describeError(error));
  return [];
}
