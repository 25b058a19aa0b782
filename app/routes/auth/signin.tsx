import { useEffect } from "react";
import { createContext, data, redirect } from "react-router";
import { signInLabels } from "~/content/sign-in-labels";
import { connectingFailedPage } from "~/features/account/settings/connecting.server";
import {
  problemOfQuery,
  problemSentence,
} from "~/features/account/sign-in/callback-problems.server";
import { cleanAddress } from "~/features/account/sign-in/clean-address.client";
import { codeRequestOf } from "~/features/account/sign-in/mailed-code.server";
import { mayChoosePassword } from "~/features/account/sign-in/pending-password.server";
import {
  answerSignIn,
  refuseSignIn,
  type SignInAnswer,
} from "~/features/account/sign-in/sign-in.server";
import { SignInViews } from "~/features/account/sign-in/sign-in-views";
import type { SignInNews, View } from "~/features/account/sign-in/views";
import { challengeOf } from "~/features/auth/challenge.server";
import { guardedForVisitors } from "~/features/auth/guard.server";
import {
  identifyPrincipal,
  sessionContext,
  sessionMiddleware,
} from "~/features/auth/session/session.server";
import { removalsOf } from "~/features/auth/session/session-cookies.server";
import { nothingReadable } from "~/features/auth/session/sign-in-problems";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { nextPath } from "~/http/page-addresses";
import { pageTitle } from "~/seo/page-meta";
import { BrandMark } from "~/ui/chrome/brand";
import type { Route } from "./+types/signin";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Sign in") },
  { name: "robots", content: "noindex" },
];

/** A refused post says when to come back. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

// A loader sees a GET even where it follows an action.
const answersPost = createContext(false);

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { configuration } = app;
  const session = context.get(sessionContext);
  const query = new URL(request.url).searchParams;
  const next = nextPath(query.get("next"), "/dashboard");
  const visitor = await session.visitor();
  const recovering = await mayChoosePassword(configuration, request);
  const isTrial = visitor.state === "signed-in" && visitor.isTrial;
  // Somebody in a trial signs in or up like anybody else.
  const userId = "userId" in visitor && !isTrial ? visitor.userId : undefined;
  const choosing = userId !== undefined && recovering === userId;
  const headers = new Headers();
  if (userId !== undefined && !choosing && !context.get(answersPost)) {
    // Good claims outlive their session. The pages that ask the auth server would lead back here.
    const current = await identifyPrincipal(session);
    if (current.ok || current.status !== 401) {
      const problem = problemOfQuery(query);
      throw redirect(problem ? connectingFailedPage(problem) : next);
    }
    for (const line of removalsOf(request, "session")) headers.append("set-cookie", line);
  }
  const unavailable = visitor.state === "unavailable";
  const first: View = choosing ? "update_password" : "sign_in";
  return data(
    {
      next,
      first,
      mayChoosePassword: choosing,
      challenge: challengeOf(configuration),
      codeRequest: await codeRequestOf(app, request),
      providers: configuration.SIGN_IN_PROVIDERS,
      sms: configuration.SIGN_IN_SMS,
      sso: configuration.SINGLE_SIGN_ON,
      notice: notice(unavailable, choosing, query),
    },
    { status: unavailable ? 503 : 200, headers },
  );
}

function notice(unavailable: boolean, choosing: boolean, query: URLSearchParams) {
  const problem = unavailable ? nothingReadable : problemSentence(problemOfQuery(query));
  if (problem) return { kind: "failure" as const, message: problem };
  const { done, needed } = signInLabels.update_password;
  const expectedNotice: SignInNews = choosing ? "address-confirmed" : "password-updated";
  if (query.get("done") !== expectedNotice) return;
  return { kind: "success" as const, message: choosing ? needed : done };
}

/** Every view posts here; its `intent` says what it wants. */
export const action = guardedForVisitors({
  async refused(refusal, { request, context }: Route.ActionArgs) {
    context.set(answersPost, true);
    return answerOf(refuseSignIn(refusal, await readForm(request)));
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    context.set(answersPost, true);
    const answer = await answerSignIn(request, await readForm(request), context, principal);
    return answer instanceof Response ? answer : answerOf(answer);
  },
});

function answerOf({ outcome, headers }: SignInAnswer) {
  return data(outcome, { status: outcome.status, headers });
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  useEffect(cleanAddress, []);
  return (
    <div className="page flex min-h-[70vh] items-start justify-center pt-12 pb-20 sm:pt-20">
      <div className="w-full max-w-[360px]">
        <BrandMark className="mb-4" />
        <SignInViews
          {...loaderData}
          first={actionData?.view ?? loaderData.first}
          outcome={actionData}
        />
      </div>
    </div>
  );
}
