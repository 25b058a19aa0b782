import type { Incident } from "~/features/servers/incidents/incident";
import type { Range } from "~/features/servers/metrics/series";
import type { ChannelView } from "~/features/servers/notifications/channel";
import type { FleetOverview, ServerPage } from "~/features/servers/pages/server-view";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import { fromStored, withSeverities } from "./incidents/stored-incident";
import { fromWire } from "./pages/wire";
import type { ServerRollouts } from "./rollouts/rollout";

// What servers report is kept by the servers Worker (workers/servers/), one object for a workspace. Its callers have
// found that the user may see the workspace. An outage of it is undefined here, as it is of the database.

type Scope = {
  context: Pick<AppContext, "bindings">;
  workspace: { id: string };
  /** The session that reads the page, if the page needs a ticket. */
  pageSession?: { person: string; session: string } | undefined;
};

/**
 * Every server of a workspace, newest first, with its channels and a ticket for the page; undefined while they cannot be
 * read.
 */
export async function readFleet({
  context,
  workspace,
  pageSession,
}: Scope): Promise<
  (FleetOverview & { channels?: ChannelView[] | undefined; ticket?: string }) | undefined
> {
  const overview = await orUndefined(context.bindings.FLEETS.overview(workspace.id, pageSession));
  if (!overview) return;
  const { servers, clusters, ...rest } = overview;
  return {
    ...{ ...rest, servers: servers.map(fromWire) },
    ...(clusters && {
      clusters: clusters.map(({ deployment, incident }) => ({
        deployment,
        incident: incident && withSeverities(incident),
      })),
    }),
  };
}

/**
 * One server with what changed on it, its incidents of the last 90 days, newest first, and its figures over a range, and
 * a ticket for the page; null where the workspace has no such server.
 */
export async function readServer(
  { context, workspace, pageSession }: Scope,
  id: string,
  range?: Range,
): Promise<
  | (ServerPage & { incidents?: Incident[]; rollouts?: ServerRollouts; ticket?: string })
  | null
  | undefined
> {
  const read = (wanted: Range | undefined) =>
    orUndefined(
      context.bindings.FLEETS.server(workspace.id, id, wanted, pageSession).then((found) => ({
        found,
      })),
    );
  // A servers Worker of before does not know these ranges.
  const isNew = range === "1h" || range === "6h";
  const answer = (await read(range)) ?? (isNew ? await read(undefined) : undefined);
  if (!answer?.found) return answer && null;
  const { incidents, ...page } = answer.found;
  return { ...fromWire(page), ...(incidents ? { incidents: incidents.map(fromStored) } : {}) };
}

/** What a call of the fleet answers; undefined where it failed, which is logged. */
export async function orUndefined<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    log.error("A workspace's servers were not reached", describeError(error));
  }
}
