import { createContext, data, redirect } from "react-router";
import { guardedForVisitors } from "~/access/guarded-action.server";
import { connectingFailedPage } from "~/account/connecting.server";
import { codeRequestOf } from "~/auth/code-request.server";
import { mayChoosePassword } from "~/auth/password-recovery.server";
import { identifyPrincipal } from "~/auth/principal.server";
import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import { removalsOf } from "~/auth/session-cookies.server";
import { answerSignIn, refuseSignIn, type Shown } from "~/auth/sign-in.server";
import { signInUnavailable } from "~/auth/sign-in-problems";
import { SignInViews } from "~/auth/sign-in-views";
import type { GoodNews, View } from "~/auth/views";
import { problemOfQuery, problemSentence } from "~/auth/way-back-problems.server";
import { challengeOf } from "~/challenge/challenge.server";
import { BrandMark } from "~/components/chrome/brand";
import { signInLabels } from "~/content/sign-in-labels";
import { readForm } from "~/request/form.server";
import { nextPath } from "~/request/next-path";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/signin";

export const meta: Route.MetaFunction = () => [
  { title: "Sign in · LiveKit Deploy" },
  { name: "robots", content: "noindex" },
];

/** A refused post says when to come back. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

// A loader sees a GET even where it follows an action.
const answersPost = createContext(false);

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = context.get(requestContext);
  const { configuration, requestId } = asked;
  const session = context.get(sessionContext);
  const query = new URL(request.url).searchParams;
  const next = nextPath(query.get("next"), "/dashboard");
  const visitor = await session.visitor();
  const recovering = await mayChoosePassword(configuration, request);
  const userId = "userId" in visitor ? visitor.userId : undefined;
  const choosing = userId !== undefined && recovering === userId;
  const headers = new Headers();
  if (userId !== undefined && !choosing && !context.get(answersPost)) {
    // Good claims outlive their session. The pages that ask the auth server would lead back here.
    const present = await identifyPrincipal(session, requestId);
    if (present.ok || present.status !== 401) {
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
      codeRequest: await codeRequestOf(asked, request),
      providers: configuration.SIGN_IN_PROVIDERS,
      sms: configuration.SIGN_IN_SMS,
      notice: notice(unavailable, choosing, query),
    },
    { status: unavailable ? 503 : 200, headers },
  );
}

function notice(unavailable: boolean, choosing: boolean, query: URLSearchParams) {
  const problem = unavailable ? signInUnavailable : problemSentence(problemOfQuery(query));
  if (problem) return { kind: "failure" as const, message: problem };
  const { done, needed } = signInLabels.update_password;
  const shown: GoodNews = choosing ? "address-confirmed" : "password-updated";
  if (query.get("done") !== shown) return;
  return { kind: "success" as const, message: choosing ? needed : done };
}

/** Every view posts here; its `intent` says what it wants. */
export const action = guardedForVisitors({
  async refused(refusal, { request, context }: Route.ActionArgs) {
    context.set(answersPost, true);
    return shown(refuseSignIn(refusal, await readForm(request)));
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    context.set(answersPost, true);
    const answer = await answerSignIn(request, await readForm(request), context, principal);
    return answer instanceof Response ? answer : shown(answer);
  },
});

function shown({ outcome, headers }: Shown) {
  return data(outcome, { status: outcome.status, headers });
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
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
