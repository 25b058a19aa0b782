import { data, redirect } from "react-router";
import { ProviderForm } from "~/auth/provider-form";
import { startProviderSignIn } from "~/auth/provider-sign-in.server";
import { isProvider } from "~/auth/providers";
import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import { problemSentence, signInUnavailable } from "~/auth/sign-in-problems";
import { BrandMark } from "~/components/chrome/brand";
import { Message } from "~/components/message";
import { readForm } from "~/request/form.server";
import { nextPath } from "~/request/next-path";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/signin";

export const meta: Route.MetaFunction = () => [
  { title: "Sign in · LiveKit Deploy" },
  { name: "robots", content: "noindex" },
];

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const next = nextPath(query.get("next"), "/dashboard");
  const visitor = await context.get(sessionContext).visitor();
  if (visitor.state === "signed-in") throw redirect(next);
  const unavailable = visitor.state === "unavailable";
  return data(
    { next, message: unavailable ? signInUnavailable : problemSentence(query.get("problem")) },
    { status: unavailable ? 503 : 200 },
  );
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const provider = form.get("provider");
  if (!isProvider(provider)) {
    return data({ message: "Choose how you want to sign in." }, { status: 400 });
  }
  const start = await startProviderSignIn(
    request,
    context.get(requestContext),
    context.get(sessionContext),
    provider,
    nextPath(form.get("next"), "/dashboard"),
  );
  return start.ok ? start.response : data({ message: start.message }, { status: start.status });
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const message = actionData?.message ?? loaderData.message;
  return (
    <div className="page flex min-h-[70vh] items-center justify-center py-16">
      <div className="w-full max-w-[360px]">
        <BrandMark />
        <h1 className="mt-4 text-xl">Sign in to your account</h1>
        <p className="mt-2 mb-6 text-ink-soft">
          Bought a plan before signing up? Use the address that you paid with.
        </p>
        {message ? (
          <Message kind="failure" className="mb-4">
            {message}
          </Message>
        ) : null}
        <ProviderForm action="/signin" next={loaderData.next} />
      </div>
    </div>
  );
}
