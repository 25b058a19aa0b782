import { data } from "react-router";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { isRecent, sessionContext } from "~/features/auth/session/session.server";
import { NewWebhook } from "~/features/webhooks/page/new-webhook";
import { WebhookList } from "~/features/webhooks/page/webhook-list";
import { changeWebhooks, refusedWebhooks } from "~/features/webhooks/site/webhook-changes.server";
import { webhooksView } from "~/features/webhooks/site/webhooks-view.server";
import { fill } from "~/features/workspaces/fill";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/webhooks";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Webhooks") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "settings" } satisfies ConsoleHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const workspace = openWorkspace(context);
  const { assurance } = await requireVerifiedUser(context, `${workspace.base}/webhooks`);
  const view = await webhooksView({ context: context.get(appContext) }, workspace);
  return data(
    { ...view, isRecent: isRecent(assurance) },
    { status: view.isUnreadable ? 503 : 200 },
  );
}

export const action = guarded({
  async refused(refusal, { request }: Route.ActionArgs) {
    const outcome = refusedWebhooks(refusal, await readForm(request));
    return data(outcome, { status: outcome.status });
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      ...{ principal, workspace: openWorkspace(context) },
    };
    const outcome = await changeWebhooks(scope, await readForm(request));
    return data(outcome, { status: outcome.ok ? 200 : outcome.status });
  },
});

export default function Webhooks({ loaderData: view, actionData: outcome }: Route.ComponentProps) {
  const labels = view.words.webhooks;
  const { isRecent } = view;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{labels.title}</h1>
      <p className="mt-3 max-w-prose text-lg wrap-anywhere text-ink-soft">
        {fill(labels.intro, { workspace: view.workspace.name })}{" "}
        <TextLink to="/docs/workspace-webhooks" className="text-ink">
          {labels.docs}
        </TextLink>
      </p>
      {view.isUnreadable ? (
        <Message kind="failure" className="mt-6">
          {labels.unreadable}
        </Message>
      ) : null}
      <div className="mt-8">
        <NewWebhook {...{ view, isRecent, outcome }} />
        {view.webhooks ? <WebhookList {...{ view, isRecent, outcome }} /> : null}
      </div>
    </div>
  );
}
