import {
  type Session,
  sessionContext,
  sessionMiddleware,
} from "~/features/auth/session/session.server";
import { apiRefusal } from "~/features/auth/session/sign-in-problems";
import { deploymentsUnreadable } from "~/features/deployments/record/deployments.server";
import { readFleet } from "~/features/servers/fleets.server";
import { serverLine } from "~/features/servers/pages/server-details.server";
import { byName, rankOf } from "~/features/servers/pages/server-needs";
import { savedServers } from "~/features/servers/pages/workspace-fleet.server";
import { namedWorkspace, noSuchWorkspace } from "~/features/workspaces/workspace.server";
import { apiError } from "~/http/answers";
import { type AppContext, appContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import type { Route } from "./+types/names";

const maxNames = 200;

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * Id and name of each deployment of a workspace, for the command palette: of the one that `workspace` in the query names
 * by its slug, or else of the one at /dashboard. `with=servers` adds its connected servers and what each is like; a page
 * that was loaded before there was that does not ask for it.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const { state } = await session.visitor();
  if (state !== "signed-in") return apiRefusal(state);
  const workspace = await namedWorkspace(request, context);
  if (workspace === null) return apiError(503, deploymentsUnreadable);
  if (!workspace) return apiError(404, noSuchWorkspace);
  const hasServers = new URL(request.url).searchParams.get("with") === "servers";
  const reading = hasServers ? serverNames(context.get(appContext), session, workspace) : [];
  const { data, error } = await session.supabase
    .from("deployments")
    .select("id, name")
    .eq("workspace_id", workspace.id)
    .order("updated_at", { ascending: false })
    .limit(maxNames);
  const servers = await reading;
  if (!error) return Response.json(hasServers ? { deployments: data, servers } : data);
  log.error("The names of deployments could not be read", describeError(error));
  return apiError(503, deploymentsUnreadable);
}

/** The worst first. While the servers Worker cannot be reached, their names alone. */
async function serverNames(
  context: AppContext,
  { supabase }: Pick<Session, "supabase">,
  workspace: { id: string },
): Promise<{ id: string; name: string; state?: string }[]> {
  if (!context.configuration.SERVERS_URL) return [];
  const fleet = await readFleet({ context, workspace });
  if (!fleet) {
    return (await savedServers(supabase, workspace)).map(({ id, name }) => ({ id, name }));
  }
  return fleet.servers
    .filter(({ retiredAt }) => retiredAt === undefined)
    .sort((one, other) => rankOf(one) - rankOf(other) || byName(one, other))
    .map((view) => {
      const { id, name, state } = serverLine(view);
      return { id, name, state: state.words.replace(/ since$/, "") };
    });
}
