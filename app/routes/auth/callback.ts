import { redirect } from "react-router";
import { arrive } from "~/features/account/sign-in/arrive.server";
import {
  problemOfCode,
  problemOfQuery,
  type SignInProblem,
} from "~/features/account/sign-in/callback-problems.server";
import { readDestination } from "~/features/account/sign-in/provider-sign-in.server";
import { joinBySingleSignOn } from "~/features/account/sign-in/single-sign-on.server";
import {
  isOutage,
  sessionContext,
  sessionMiddleware,
} from "~/features/auth/session/session.server";
import { removalsOf } from "~/features/auth/session/session-cookies.server";
import { appContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import type { Route } from "./+types/callback";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** Where a provider sends people back: exchanges the code for a session, once. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { supabase, visitor } = context.get(sessionContext);
  const app = context.get(appContext);
  const { next, forget } = await readDestination(request);
  const headers = { "set-cookie": forget };
  const problem = (reason: SignInProblem) =>
    redirect(`/signin?${new URLSearchParams({ problem: reason, next })}`, { headers });

  const query = new URL(request.url).searchParams;
  const refused = problemOfQuery(query);
  if (refused) {
    log.warn("A way back from a provider was refused", {
      reason: refused,
    });
    if (refused === "cancelled" && next === "/signup") {
      return redirect("/signup?problem=cancelled", { headers });
    }
    return problem(refused);
  }
  const code = query.get("code");
  if (!code) return problem("expired");

  // Before anybody asks whose session this browser had: a dead one would take the verifier along.
  const { data, error } = await supabase.auth.exchangeCodeForSession(code);
  const joining = error ? undefined : await joinBySingleSignOn(app, data.user);
  if (joining === "foreign") {
    log.warn("A sign-in was refused", { reason: "another's address by single sign-on" });
    await supabase.auth.signOut({ scope: "local" });
    return problem("sso-address");
  }
  if (!error) {
    log.info("Somebody signed in", { by: "provider" });
    const response = await arrive(
      app,
      data.user,
      joining ? `/dashboard?notice=sso-${joining}` : next,
    );
    for (const line of [forget, ...removalsOf(request, "begun sign-ins")]) {
      response.headers.append("set-cookie", line);
    }
    return response;
  }
  // Somebody who comes here by the back button is signed in already.
  const current = await visitor();
  if (current.state === "signed-in" && !current.isTrial) return redirect(next, { headers });
  log.warn("A sign-in code was not exchanged", describeError(error));
  if (isOutage(error)) return problem("unavailable");
  if (error.name === "AuthPKCECodeVerifierMissingError") return problem("other-browser");
  // A code that is over, whatever it was kept under, is no mailed link.
  if (/^flow_state_/.test(error.code ?? "")) return problem("expired");
  return problem(error.status === 429 ? "too-often" : (problemOfCode(error.code ?? "") ?? "fault"));
}
