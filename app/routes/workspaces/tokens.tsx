import { data } from "react-router";
import { NewToken } from "~/features/api/tokens-page/new-token";
import { tokenForms } from "~/features/api/tokens-page/token-changes.server";
import { TokenList } from "~/features/api/tokens-page/token-list";
import { tokensView } from "~/features/api/tokens-page/tokens-view.server";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { isRecent, sessionContext } from "~/features/auth/session/session.server";
import { fill } from "~/features/workspaces/fill";
import { WorkspacePage } from "~/features/workspaces/page-parts";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import type { Route } from "./+types/tokens";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("API tokens") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "settings" } satisfies ConsoleHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const workspace = openWorkspace(context);
  const { assurance } = await requireVerifiedUser(context, `${workspace.base}/tokens`);
  const scope = { context: context.get(appContext), session: context.get(sessionContext) };
  const view = await tokensView(scope, workspace);
  return data(
    { ...view, isRecent: isRecent(assurance) },
    { status: view.isUnreadable ? 503 : 200 },
  );
}

export const action = guarded({
  ...tokenForms,
});

export default function Tokens({ loaderData: view, actionData: outcome }: Route.ComponentProps) {
  const labels = view.words.tokens;
  return (
    <WorkspacePage
      title={labels.title}
      intro={fill(labels.intro, { workspace: view.workspace.name })}
      docs={{ to: "/docs/api", label: labels.docs }}
      failure={view.isUnreadable ? labels.unreadable : undefined}
    >
      <NewToken view={view} isRecent={view.isRecent} outcome={outcome} />
      {view.tokens ? <TokenList view={view} outcome={outcome} /> : null}
    </WorkspacePage>
  );
}
