import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { isOpen } from "~/features/billing/subscriptions/subscription-words";
import { subscriptionsOfVisitor } from "~/features/billing/subscriptions/subscriptions.server";
import { firstWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/own-plan";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * The larger of the plans that the visitor has, by our copy: `{plan}`, or null for one who has none, is not
 * signed in or cannot be identified now. It only chooses the words of buttons on /pricing.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const isSignedIn = (await session.visitor()).state === "signed-in";
  const app = context.get(appContext);
  const rows = isSignedIn
    ? await subscriptionsOfVisitor(session.supabase, app, await firstWorkspace(context))
    : [];
  const plans = (rows ?? []).filter(isOpen).map(({ plan }) => plan);
  const plan = plans.includes("pro") ? "pro" : (plans[0] ?? null);
  return Response.json({ plan }, { headers: { "cache-control": "no-store" } });
}
