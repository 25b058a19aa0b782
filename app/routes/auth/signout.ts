import { redirect } from "react-router";
import { closeSession } from "~/auth/close-session.server";
import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import type { Route } from "./+types/signout";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export function loader() {
  return redirect("/");
}

/** Ends the session in this browser; with the auth server down its cookies go all the same. */
export async function action({ request, context }: Route.ActionArgs) {
  const headers = await closeSession(request, context.get(sessionContext));
  return redirect("/", { status: 303, headers });
}
