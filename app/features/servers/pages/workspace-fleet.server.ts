import type { SupabaseClient } from "@supabase/supabase-js";
import type { RouterContextProvider } from "react-router";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext } from "~/features/auth/session/session.server";
import type { SavedServer } from "~/features/servers/state/server-record";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { readFleet } from "../fleets.server";
import { isoOf } from "../iso-of";
import { liveWith, pageSessionOf } from "../live/live-page.server";
import type { Unread } from "../live/stale-data";
import { channelWarning } from "../notifications/channel";
import { fleetList } from "./fleet-list.server";

/** What is read of the workspace's servers: null where no machine can connect, undefined while they cannot be read. */
export type WorkspaceFleet = Awaited<ReturnType<typeof readWorkspaceFleet>>;

export async function readWorkspaceFleet(context: Readonly<RouterContextProvider>) {
  const app = context.get(appContext);
  const workspace = context.get(workspaceContext);
  if (!app.configuration.SERVERS_URL || !workspace) return null;
  return readFleet({ context: app, workspace, pageSession: await pageSessionOf(context) });
}

/**
 * What the overview shows of the servers, and what keeps it live. `search` is that of the page's address, `names` those of
 * deployments by their id.
 */
export async function fleetPart(
  context: Readonly<RouterContextProvider>,
  fleet: WorkspaceFleet,
  search: URLSearchParams,
  names: ReadonlyMap<string, string>,
) {
  const workspace = context.get(workspaceContext);
  const { supabase } = context.get(sessionContext);
  const hasServers = fleet === undefined || (fleet !== null && fleet.servers.length > 0);
  return {
    // Null where there is nothing to show; undefined inside where it cannot be read.
    fleet: hasServers
      ? {
          list: fleet && fleetList(fleet, search, names),
          // Nobody can be notified of a trial's servers.
          unreached: (await isInTrial(context.get(sessionContext)))
            ? undefined
            : unreachedWords(fleet),
          known: fleet || !workspace ? [] : await savedServers(supabase, workspace),
        }
      : null,
    live: liveWith(context.get(appContext), fleet?.ticket),
    ...({ isUnread: fleet === undefined } satisfies Unread),
  };
}

/** What is wrong with all channels together, where servers are connected. */
function unreachedWords(fleet: WorkspaceFleet): string | undefined {
  if (!fleet?.channels || fleet.servers.every(({ retiredAt }) => retiredAt !== undefined)) return;
  return channelWarning(fleet.channels);
}

/** A server by what the database knows of it. */
export type NamedServer = { id: string; deployment: string | undefined; name: string };

/** A server as the database's function `settle_fleets` takes it. */
export function savedServerRow(workspace: string, server: SavedServer) {
  const { id, deployment, name, enrolledAt, retiredAt } = server;
  return {
    ...{ id, workspace, deployment: deployment ?? null, name },
    enrolled: isoOf(enrolledAt),
    retired: isoOf(retiredAt) ?? null,
  };
}

/**
 * The connected servers of a workspace, newest first, as the visitor may read them: what lists show while the servers
 * Worker cannot be reached. One that was connected within the last hour may be missing. None where they cannot be read.
 */
export async function savedServers(
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
    return data.map(({ id, deployment_id, name }) => ({
      ...{ id, deployment: deployment_id ?? undefined, name },
    }));
  log.error("Known servers could not be read", describeError(error));
  return [];
}
