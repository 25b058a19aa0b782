import { secondsUntilRefresh } from "~/auth/refresh-time";
import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import { notSignedIn, signInUnavailable } from "~/auth/sign-in-problems";
import { apiError, methodNotAllowed } from "~/request/api-answers";
import type { Route } from "./+types/refresh";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export function loader() {
  return methodNotAllowed("POST");
}

/**
 * For a page that somebody looks at: says in how many seconds to ask again. Asking is what refreshes
 * a session that ends soon; 401 says that it is over, 503 that the auth server does not answer.
 */
export async function action({ context }: Route.ActionArgs) {
  const visitor = await context.get(sessionContext).visitor();
  switch (visitor.state) {
    case "signed-in":
      return Response.json({ askAgainIn: secondsUntilRefresh(visitor.expiresAt) });
    case "signed-out":
      return apiError(401, notSignedIn);
    case "unavailable":
      return apiError(503, signInUnavailable);
  }
}
