import { redirect } from "react-router";
import {
  closeSession,
  leaveBrowser,
  revokeSessions,
  type SignOutNotice,
  signOutScope,
  withoutSession,
} from "~/features/account/sign-in/sign-out.server";
import { guardedForVisitors } from "~/features/auth/guard.server";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { endTrialPage, nextPath, signInPage } from "~/http/page-addresses";
import type { Route } from "./+types/signout";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export function loader() {
  return redirect("/");
}

/**
 * Ends the sessions that `scope` names and goes to `/`, for `others` back to `next` with a notice, and for `local` to the
 * sign-in that leads to `next`, where the form names one. A trial is lost by it, so its page is asked first.
 * With the auth server down this browser's cookies go all the same; other devices cannot be reached,
 * and a user who wanted them out reads so and stays signed in to try again.
 */
export const action = guardedForVisitors({
  async refused(_, { request }: Route.ActionArgs) {
    return redirect(noticeAt(pageAfter(await readForm(request)), "not-signed-out"), 303);
  },
  async allowed({ request, context }: Route.ActionArgs) {
    const form = await readForm(request);
    const scope = signOutScope(form.get("scope"));
    if (!scope)
      return new Response("Choose what to sign out: local, others or global.", { status: 400 });
    const session = context.get(sessionContext);
    const app = context.get(appContext);
    if (scope === "local" && form.get("trial") !== "end" && (await isInTrial(session)))
      return redirect(endTrialPage(form.get("next")), 303);
    // A user who signs out to use another account comes back to where they were.
    if (scope === "local")
      return redirect(form.has("next") ? signInPage(nextPath(form.get("next"), "/")) : "/", {
        status: 303,
        headers: leaveBrowser(await closeSession(app, request, session)),
      });

    const next = pageAfter(form);
    if (!(await revokeSessions(app, session, scope)))
      return redirect(noticeAt(next, "not-signed-out"), 303);
    return scope === "global"
      ? redirect("/", { status: 303, headers: leaveBrowser(await withoutSession(app, request)) })
      : redirect(noticeAt(next, "others-signed-out"), 303);
  },
});

function pageAfter(form: URLSearchParams): string {
  return nextPath(form.get("next"), "/dashboard/account");
}

function noticeAt(path: string, notice: SignOutNotice): string {
  const url = new URL(path, "https://here.invalid");
  url.searchParams.set("notice", notice);
  return url.pathname + url.search + url.hash;
}
