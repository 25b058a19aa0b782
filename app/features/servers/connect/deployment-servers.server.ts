import type { RouterContextProvider } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import type { Entitlement } from "~/features/deployments/plan/plan-limits";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { orUndefined } from "../fleets.server";
import { liveWith } from "../live/live-page.server";
import type { Unread } from "../live/stale-data";
import { clusterMachines, clusterView } from "../pages/cluster-view.server";
import { runsVersion } from "../pages/runs-version";
import { serverLine } from "../pages/server-details.server";
import type { ServerView } from "../pages/server-view";
import { savedServers, type WorkspaceFleet } from "../pages/workspace-fleet.server";
import { serverQuotaOf } from "./server-quota";

/** What a deployment's page shows of its servers, and what keeps it live. `entitlement`: undefined where it cannot be read. */
export async function deploymentServers(
  context: Readonly<RouterContextProvider>,
  fleet: WorkspaceFleet,
  deployment: { id: string; name: string; version: number },
  entitlement: Entitlement | undefined,
) {
  const { supabase } = context.get(sessionContext);
  const { id, version } = deployment;
  const isHere = ({ deployment }: { deployment?: string | undefined }) => deployment === id;
  return {
    cluster: fleet ? await clusterOf(context, fleet, deployment) : undefined,
    // Null where machines have no console to connect to, undefined where it cannot be read.
    servers:
      fleet === null
        ? null
        : fleet?.servers
            .filter((view) => isHere(view) && !isOfCluster(view))
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

/** Those are shown as one, above the others. */
const isOfCluster = ({ role, retiredAt }: ServerView): boolean =>
  role !== undefined && retiredAt === undefined;

/** A rollout of a cluster's has all its machines, so that one machine's are all. */
async function clusterOf(
  context: Readonly<RouterContextProvider>,
  fleet: NonNullable<WorkspaceFleet>,
  deployment: { id: string; name: string; version: number },
) {
  const [machine] = clusterMachines(fleet.servers, deployment.id);
  if (!machine) return;
  const { FLEETS } = context.get(appContext).bindings;
  const rollouts = await orUndefined(FLEETS.rollouts(openWorkspace(context).id, machine.id));
  return clusterView(fleet, deployment, rollouts?.list);
}
