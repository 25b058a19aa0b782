import { redirect } from "react-router";
import { trialBanner, endTrialWords as words } from "~/content/trial";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { nextPath } from "~/http/page-addresses";
import { pageTitle } from "~/seo/page-meta";
import { Button } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/end-trial";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle(words.title) },
  { name: "robots", content: "noindex" },
];

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** Whoever is in no trial loses nothing by a sign-out, and is asked nothing. */
export async function loader({ request, context }: Route.LoaderArgs) {
  if (!(await isInTrial(context.get(sessionContext)))) throw redirect("/");
  const next = new URL(request.url).searchParams.get("next");
  return { next: next === null ? undefined : nextPath(next, "/") };
}

export default function EndTrial({ loaderData: { next } }: Route.ComponentProps) {
  return (
    <div className="page flex min-h-[70vh] items-start justify-center pt-12 pb-20 sm:pt-20">
      <div className="w-full max-w-[360px]">
        <h1 className="text-xl">{words.title}</h1>
        <p className="mt-3 text-ink-soft">{words.says}</p>
        <form method="post" action="/signout" className="mt-6">
          <input type="hidden" name="trial" value="end" />
          {next ? <input type="hidden" name="next" value={next} /> : null}
          <Button type="submit" variant="danger">
            {words.button}
          </Button>
        </form>
        <TextLink to="/signup" variant="standalone" className="mt-6">
          {trialBanner.signUp}
        </TextLink>
        <TextLink to="/dashboard" variant="standalone" className="mt-2">
          {words.stay}
        </TextLink>
      </div>
    </div>
  );
}
