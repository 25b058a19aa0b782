import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import { planName } from "~/billing/prices";
import { isRunning } from "~/billing/subscription-words";
import { subscriptionsOfVisitor } from "~/billing/subscriptions.server";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/own-plan";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * The larger of the plans that the visitor has, by our copy: `{plan}`, or null for whoever has none, is not
 * signed in or cannot be told now. It only chooses the words of buttons on /pricing.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const { configuration, requestId } = context.get(requestContext);
  const isSignedIn = (await session.visitor()).state === "signed-in";
  const rows = isSignedIn ? await subscriptionsOfVisitor(session.supabase, requestId) : [];
  const names = (rows ?? []).filter(isRunning).map((row) => planName(configuration, row.price_id));
  const plan = names.includes("Pro") ? "pro" : names.includes("Basic") ? "basic" : null;
  return Response.json({ plan }, { headers: { "cache-control": "no-store" } });
}
