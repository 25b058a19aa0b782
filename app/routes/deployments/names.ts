import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { apiRefusal } from "~/features/auth/session/sign-in-problems";
import { deploymentsUnreadable } from "~/features/deployments/record/deployments.server";
import { namedWorkspace, noSuchWorkspace } from "~/features/workspaces/workspace.server";
import { apiError } from "~/http/answers";
import { describeError, log } from "~/platform/log/log.server";
import type { Route } from "./+types/names";

const maxNames = 200;

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * Id and name of each deployment of a workspace, for the command palette: of the one that `workspace` in the query names
 * by its slug, or else of the one at /dashboard.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const { state } = await session.visitor();
  if (state !== "signed-in") return apiRefusal(state);
  const workspace = await namedWorkspace(request, context);
  if (workspace === null) return apiError(503, deploymentsUnreadable);
  if (!workspace) return apiError(404, noSuchWorkspace);
  const { data, error } = await session.supabase
    .from("deployments")
    .select("id, name")
    .eq("workspace_id", workspace.id)
    .order("updated_at", { ascending: false })
    .limit(maxNames);
  if (!error) return Response.json(data);
  log.error("The names of deployments could not be read", describeError(error));
  return apiError(503, deploymentsUnreadable);
}
