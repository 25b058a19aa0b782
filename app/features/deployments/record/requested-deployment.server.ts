import { data, type RouterContextProvider } from "react-router";
import { type Session, sessionContext } from "~/features/auth/session/session.server";
import { type AppContext, appContext } from "~/http/app-context";
import type { Deployment } from "../stored-deployment";
import { readDeployment } from "./deployments.server";

export type Requested = {
  context: AppContext;
  session: Session;
  /** Undefined while the database does not answer. */
  deployment: Deployment | undefined;
};

/** 404 for an id that is not the visitor's own, whether it is somebody else's, unknown or no id. */
function noSuchDeployment() {
  return data("There is no such deployment.", { status: 404, statusText: "Not Found" });
}

/** The visitor's deployment that a route under /dashboard/deployments names. */
export async function requestedDeployment(
  context: Readonly<RouterContextProvider>,
  id: string,
): Promise<Requested> {
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const found = await readDeployment(session.supabase, id);
  if (found.state === "unknown") throw noSuchDeployment();
  return { context: app, session, deployment: found.state === "found" ? found.value : undefined };
}
