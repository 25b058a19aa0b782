import { data } from "react-router";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { isRecent } from "~/features/auth/session/session.server";
import { NewWebhook } from "~/features/webhooks/page/new-webhook";
import { WebhookList } from "~/features/webhooks/page/webhook-list";
import { webhookForms } from "~/features/webhooks/site/webhook-changes.server";
import { webhooksView } from "~/features/webhooks/site/webhooks-view.server";
import { fill } from "~/features/workspaces/fill";
import { WorkspacePage } from "~/features/workspaces/page-parts";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
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
  ...webhookForms,
});

export default function Webhooks({ loaderData: view, actionData: outcome }: Route.ComponentProps) {
  const labels = view.words.webhooks;
  const { isRecent } = view;
  return (
    <WorkspacePage
      title={labels.title}
      intro={fill(labels.intro, { workspace: view.workspace.name })}
      docs={{ to: "/docs/workspace-webhooks", label: labels.docs }}
      failure={view.isUnreadable ? labels.unreadable : undefined}
    >
      <NewWebhook {...{ view, isRecent, outcome }} />
      {view.webhooks ? <WebhookList {...{ view, isRecent, outcome }} /> : null}
    </WorkspacePage>
  );
}
