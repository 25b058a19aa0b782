import { data, Form, redirect, useNavigation } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { fill } from "~/features/workspaces/fill";
import { leaveForm } from "~/features/workspaces/member-changes.server";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { workspaceWords } from "~/features/workspaces/workspace-words.server";
import { appContext } from "~/http/app-context";
import { nextPath } from "~/http/page-addresses";
import { pageTitle } from "~/seo/page-meta";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/second-factor";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Second factor") },
  { name: "robots", content: "noindex" },
];

/** For a member to whom the workspace is closed; others are led on. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { name, base, isClosed } = openWorkspace(context);
  const next = nextPath(new URL(request.url).searchParams.get("next"), base);
  if (!isClosed) throw redirect(next, 303);
  const { title, leaveButton, ...labels } = (await workspaceWords(context.get(appContext))).closed;
  const about = { workspace: name };
  return {
    labels: { ...labels, title: fill(title, about), leaveButton: fill(leaveButton, about) },
    next,
  };
}

/** Leaves the workspace: also possible for a member without a second factor. */
export const action = guarded({
  refused(refusal) {
    const outcome = leaveForm.refused(refusal);
    return data(outcome, { status: outcome.status });
  },
  async allowed({ context }: Route.ActionArgs, principal) {
    const outcome = await leaveForm.allowed({
      context: context.get(appContext),
      session: context.get(sessionContext),
      ...{ principal, workspace: openWorkspace(context) },
    });
    return outcome.ok ? redirect("/dashboard", 303) : data(outcome, { status: outcome.status });
  },
});

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { labels, next } = loaderData;
  const busy = useNavigation().state !== "idle";
  return (
    <div className="max-w-prose pt-8">
      <h1 className="text-2xl wrap-anywhere">{labels.title}</h1>
      <p className="mt-4 text-lg">{labels.says}</p>
      <p className="mt-3 text-ink-soft">{labels.how}</p>
      <LinkButton
        to={`/dashboard/account?${new URLSearchParams({ next })}#second-factor`}
        className="mt-8"
      >
        {labels.button}
      </LinkButton>
      <Form method="post" className="mt-12 border-t border-line pt-6">
        <p className="mb-4 text-ink-soft">{labels.leave}</p>
        {actionData?.message ? (
          <Message kind="failure" className="mb-4">
            {actionData.message}
          </Message>
        ) : null}
        <Button type="submit" variant="danger" className="wrap-anywhere" disabled={busy}>
          {labels.leaveButton}
        </Button>
      </Form>
    </div>
  );
}
