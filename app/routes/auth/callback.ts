import { redirect } from "react-router";
import { arrivalAt, connectingFailedPage, identitiesSection } from "~/account/connecting.server";
import { arrive } from "~/auth/arrive.server";
import { readDestination } from "~/auth/provider-sign-in.server";
import { isOutage, sessionContext, sessionMiddleware } from "~/auth/session.server";
import { problemOfQuery, type SignInProblem } from "~/auth/sign-in-problems";
import { describeError, log } from "~/observability/log.server";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/callback";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * Where a provider sends people back: exchanges the code for a session, once. Whoever was signed in
 * before connects the provider to their account.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { supabase, visitor } = context.get(sessionContext);
  const asked = context.get(requestContext);
  const { next, forget } = await readDestination(request);
  const headers = { "set-cookie": forget };
  const signedIn = (await visitor()).state === "signed-in";
  const problem = (reason: SignInProblem) =>
    redirect(
      signedIn
        ? connectingFailedPage(reason)
        : `/signin?${new URLSearchParams({ problem: reason, next })}`,
      { headers },
    );

  const query = new URL(request.url).searchParams;
  const refused = problemOfQuery(query);
  if (refused) return problem(refused);
  const code = query.get("code");
  if (!code) return problem("expired");

  const { data, error } = await supabase.auth.exchangeCodeForSession(code);
  if (!error) {
    const response = await arrive(asked, data.user, arrivalAt(next, signedIn));
    response.headers.append("set-cookie", forget);
    return response;
  }
  // Somebody who comes here by the back button is signed in already.
  if (signedIn && next !== identitiesSection) return redirect(next, { headers });
  log.warn("A sign-in code was not exchanged", {
    requestId: asked.requestId,
    ...describeError(error),
  });
  if (isOutage(error)) return problem("unavailable");
  return problem(error.name === "AuthPKCECodeVerifierMissingError" ? "other-browser" : "expired");
}
