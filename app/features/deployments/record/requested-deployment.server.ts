import { data, type RouterContextProvider } from "react-router";
import { type Session, sessionContext } from "~/features/auth/session/session.server";
import {
  leadTo,
  type OpenWorkspace,
  workspaceContext,
} from "~/features/workspaces/workspace.server";
import { type AppContext, appContext } from "~/http/app-context";
import type { Deployment } from "../stored-deployment";
import { type Found, readDeployment } from "./deployments.server";

type Args = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  params: { id: string };
};

/**
 * The deployment that an address of the console names. The page of one in another of the person's workspaces is there,
 * and a GET is led to it. A post finds nothing: what the plan of this workspace allows does not hold for another.
 */
export async function findDeployment({
  request,
  context,
  params,
}: Args): Promise<Found<Deployment>> {
  const found = await readDeployment(context.get(sessionContext).supabase, params.id);
  if (found.state !== "found") return found;
  const workspace = context.get(workspaceContext);
  if (!workspace) return { state: "unavailable" };
  const { workspaceId } = found.value;
  if (workspaceId === workspace.id) return found;
  const owner = workspace.all.find(({ id }) => id === workspaceId);
  if (owner) leadTo(owner, request);
  return { state: "unknown" };
}

export type Requested = {
  context: AppContext;
  session: Session;
  workspace: OpenWorkspace | null;
  /** Undefined while the database does not answer. */
  deployment: Deployment | undefined;
};

/** 404 for an id that is not the visitor's own, whether it is somebody else's, unknown or no id. */
function noSuchDeployment() {
  return data("There is no such deployment.", { status: 404, statusText: "Not Found" });
}

/** The same with what else the forms of a deployment need. */
export async function requestedDeployment(args: Args): Promise<Requested> {
  const { context } = args;
  const found = await findDeployment(args);
  if (found.state === "unknown") throw noSuchDeployment();
  return {
    context: context.get(appContext),
    session: context.get(sessionContext),
    workspace: context.get(workspaceContext),
    deployment: found.state === "found" ? found.value : undefined,
  };
}
