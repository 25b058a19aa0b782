import { apiRefusal } from "~/features/auth/session/api-refusal";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { deploymentsUnreadable } from "~/features/deployments/record/deployments.server";
import { apiError } from "~/http/api-answers";
import { describeError, log } from "~/platform/log/log.server";
import type { Route } from "./+types/names";

const maxNames = 200;

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** Id and name of each of the visitor's deployments, for the command palette. */
export async function loader({ context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const { state } = await session.visitor();
  if (state !== "signed-in") return apiRefusal(state);
  const { data, error } = await session.supabase
    .from("deployments")
    .select("id, name")
    .order("updated_at", { ascending: false })
    .limit(maxNames);
  if (!error) return Response.json(data);
  log.error("The names of deployments could not be read", describeError(error));
  return apiError(503, deploymentsUnreadable);
}
