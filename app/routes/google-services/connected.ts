import { redirect } from "react-router";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { finishConsent } from "~/features/google/connection/consent.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/connected";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** The return address of Google's consent. Leads on to the tab that was open, with the reason if it is not connected. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { tool, tab, cookies, problem } = await finishConsent(
    context.get(appContext),
    request,
    context.get(sessionContext),
  );
  const query = new URLSearchParams({
    ...(tool && { tool, tab }),
    ...(problem && { problem }),
  });
  const headers = new Headers(cookies.map((line) => ["set-cookie", line]));
  return redirect(`/google-services?${query}`, { status: 303, headers });
}
