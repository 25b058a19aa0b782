import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { apiRefusal } from "~/features/auth/session/sign-in-problems";
import { secondsUntilRefresh } from "~/features/auth/session/use-session-refresh";
import { methodNotAllowed } from "~/http/answers";
import type { Route } from "./+types/refresh";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export function loader() {
  return methodNotAllowed("POST");
}

/**
 * Visible pages post here. Answers in how many seconds to post again; the request itself refreshes a session that
 * expires soon. 401 where the session has ended, 503 where the auth server does not answer.
 */
export async function action({ context }: Route.ActionArgs) {
  const visitor = await context.get(sessionContext).visitor();
  return "expiresAt" in visitor
    ? Response.json({ askAgainIn: secondsUntilRefresh(visitor.expiresAt) })
    : apiRefusal(visitor.state);
}
