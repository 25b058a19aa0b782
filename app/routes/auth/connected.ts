import { finishConnecting } from "~/features/account/settings/connecting.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/connected";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** Where a provider leads back whom an account connects to it. */
export function loader({ request, context }: Route.LoaderArgs) {
  return finishConnecting(context.get(appContext), request, context.get(sessionContext));
}
