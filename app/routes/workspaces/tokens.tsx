import { data } from "react-router";
import { NewToken } from "~/features/api/tokens-page/new-token";
import { changeTokens, refusedTokens } from "~/features/api/tokens-page/token-changes.server";
import { TokenList } from "~/features/api/tokens-page/token-list";
import { tokensView } from "~/features/api/tokens-page/tokens-view.server";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { isRecent, sessionContext } from "~/features/auth/session/session.server";
import { fill } from "~/features/workspaces/fill";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
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
  async refused(refusal, { request }: Route.ActionArgs) {
    const outcome = refusedTokens(refusal, await readForm(request));
    return data(outcome, { status: outcome.status });
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      ...{ principal, workspace: openWorkspace(context) },
    };
    const outcome = await changeTokens(scope, await readForm(request));
    return data(outcome, { status: outcome.ok ? 200 : outcome.status });
  },
});

export default function Tokens({ loaderData: view, actionData: outcome }: Route.ComponentProps) {
  const labels = view.words.tokens;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{labels.title}</h1>
      <p className="mt-3 max-w-prose text-lg wrap-anywhere text-ink-soft">
        {fill(labels.intro, { workspace: view.workspace.name })}{" "}
        <TextLink to="/docs/api" className="text-ink">
          {labels.docs}
        </TextLink>
      </p>
      {view.isUnreadable ? (
        <Message kind="failure" className="mt-6">
          {labels.unreadable}
        </Message>
      ) : null}
      <div className="mt-8">
        <NewToken view={view} isRecent={view.isRecent} outcome={outcome} />
        {view.tokens ? <TokenList view={view} outcome={outcome} /> : null}
      </div>
    </div>
  );
}
