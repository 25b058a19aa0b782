import type { RouterContextProvider } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readFleet } from "../fleets.server";
import type { Unread } from "../live/kept-reading";
import { liveWith, viewerOf } from "../live/live-page.server";
import { channelWarning } from "../notifications/channel-warning";
import { fleetList } from "./fleet-list.server";
import { knownServers } from "./known-servers.server";

/** What is read of the workspace's servers: null where no machine can connect, undefined while they cannot be read. */
export type OwnFleet = Awaited<ReturnType<typeof readOwnFleet>>;

export async function readOwnFleet(context: Readonly<RouterContextProvider>) {
  const app = context.get(appContext);
  const workspace = context.get(workspaceContext);
  if (!app.configuration.SERVERS_URL || !workspace) return null;
  return readFleet({ context: app, workspace, viewer: await viewerOf(context) });
}

/**
 * What the overview shows of the servers, and what keeps it live. `search` is that of the page's address, `names` those of
 * deployments by their id.
 */
export async function fleetPart(
  context: Readonly<RouterContextProvider>,
  fleet: OwnFleet,
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
          unreached: unreachedWords(fleet),
          known: fleet || !workspace ? [] : await knownServers(supabase, workspace),
        }
      : null,
    live: liveWith(context.get(appContext), fleet?.ticket),
    ...({ isUnread: fleet === undefined } satisfies Unread),
  };
}

/** What is said where servers are connected and no message about them reaches anybody. */
function unreachedWords(fleet: OwnFleet): string | undefined {
  if (!fleet?.channels || fleet.servers.every(({ retiredAt }) => retiredAt !== undefined)) return;
  const warning = channelWarning(fleet.channels);
  return warning?.reachesNobody ? warning.words : undefined;
}
