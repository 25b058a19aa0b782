import { data, redirect } from "react-router";
import { trialButton, trialWords } from "~/content/trial";
import { guardedForVisitors } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { startTrial } from "~/features/trial/start-trial.server";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { PageIntro } from "~/ui/primitives/page-intro";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/try";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: trialWords.title, description: trialWords.description, path: "/try" });

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

/** Begins a trial, and leads to it; whoever is signed in comes to their own dashboard. */
export const action = guardedForVisitors({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed({ context }: Route.ActionArgs, principal) {
    if (!principal || principal.account.is_anonymous) {
      const scope = { context: context.get(appContext), session: context.get(sessionContext) };
      const start = await startTrial(scope, principal);
      if (!start.ok) return data({ message: start.message }, { status: start.status });
    }
    return redirect("/dashboard", 303);
  },
});

export default function Try({ actionData }: Route.ComponentProps) {
  const { title, intro, mayTitle, may, signedIn, signUp } = trialWords;
  return (
    <div className="page">
      <PageIntro title={title}>
        <p>{intro[0]}</p>
      </PageIntro>
      <div className="max-w-prose">
        {actionData ? (
          <Message kind="failure" className="mb-8">
            {actionData.message}
          </Message>
        ) : null}
        <form method="post" action="/try" className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Button type="submit">{trialButton}</Button>
          <TextLink to="/signup" variant="standalone">
            {signUp}
          </TextLink>
        </form>
        <p className="mt-6 text-ink-soft">
          {intro[1]} {signedIn}
        </p>
        <h2 className="mt-12 text-xl">{mayTitle}</h2>
        <ul className="mt-4 mb-20 list-disc space-y-3 pl-5 text-ink-soft">
          {may.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
