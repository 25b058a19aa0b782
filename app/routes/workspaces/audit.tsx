import { data } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import { AuditList } from "~/features/workspaces/audit-list";
import { auditView, lineBefore } from "~/features/workspaces/audit-log.server";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/audit";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Audit log") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "audit" } satisfies ConsoleHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const scope = { context: context.get(appContext), session: context.get(sessionContext) };
  const view = await auditView(scope, openWorkspace(context), lineBefore(request));
  return data(view, { status: view.isUnreadable ? 503 : 200 });
}

export default function Audit({ loaderData: view }: Route.ComponentProps) {
  const { labels, lines, base, isUnreadable } = view;
  return (
    <div className="pt-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{labels.title}</h1>
        {lines?.length ? (
          <LinkButton to={`${base}/audit.csv`} reloadDocument variant="secondary">
            {labels.csv}
          </LinkButton>
        ) : null}
      </div>
      <p className="mt-3 max-w-prose text-lg wrap-anywhere text-ink-soft">{labels.intro}</p>
      {isUnreadable ? (
        <Message kind="failure" className="mt-6">
          {labels.unreadable}
        </Message>
      ) : null}
      {lines ? <AuditList lines={lines} view={view} /> : null}
    </div>
  );
}
