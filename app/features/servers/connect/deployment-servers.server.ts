import type { RouterContextProvider } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import type { Entitlement } from "~/features/deployments/plan/plan-limits";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { liveWith } from "../live/live-page.server";
import type { Unread } from "../live/stale-data";
import { runsVersion } from "../pages/runs-version";
import { serverLine } from "../pages/server-details.server";
import { savedServers, type WorkspaceFleet } from "../pages/workspace-fleet.server";
import { serverQuotaOf } from "./server-quota";

/** What a deployment's page shows of its servers, and what keeps it live. `entitlement`: undefined where it cannot be read. */
export async function deploymentServers(
  context: Readonly<RouterContextProvider>,
  fleet: WorkspaceFleet,
  { id, version }: { id: string; version: number },
  entitlement: Entitlement | undefined,
) {
  const { supabase } = context.get(sessionContext);
  const isHere = ({ deployment }: { deployment?: string | undefined }) => deployment === id;
  return {
    // Null where machines have no console to connect to, undefined where it cannot be read.
    servers:
      fleet === null
        ? null
        : fleet?.servers
            .filter(isHere)
            .map((view) => ({ ...serverLine(view), runs: runsVersion(view, version) })),
    tokens: fleet?.tokens?.find(isHere),
    quota:
      fleet && entitlement
        ? serverQuotaOf(
            entitlement.kind === "entitled" ? entitlement.plan : undefined,
            fleet.servers,
          )
        : undefined,
    live: liveWith(context.get(appContext), fleet?.ticket),
    ...({ isUnread: fleet === undefined } satisfies Unread),
    readAt: fleet ? new Date(fleet.readAt).toISOString() : undefined,
    knownServers:
      fleet === undefined
        ? (await savedServers(supabase, openWorkspace(context))).filter(isHere)
        : [],
  };
}
