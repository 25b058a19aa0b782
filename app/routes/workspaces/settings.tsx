import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { isRecent } from "~/features/auth/session/session.server";
import { fill } from "~/features/workspaces/fill";
import { workspaceSummary } from "~/features/workspaces/my-workspaces.server";
import { roleMay } from "~/features/workspaces/roles";
import { settingsForms } from "~/features/workspaces/settings-changes.server";
import {
  ApproversSection,
  AuditSection,
  DeleteSection,
  FactorSection,
  HandOverSection,
  NameSection,
  TokensSection,
  WebhooksSection,
} from "~/features/workspaces/settings-sections";
import { SsoSection } from "~/features/workspaces/sso/sso-section";
import { ssoView } from "~/features/workspaces/sso/sso-view.server";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { workspaceWords } from "~/features/workspaces/workspace-words.server";
import { appContext } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/settings";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Workspace") },
  { name: "robots", content: "noindex" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const workspace = workspaceSummary(openWorkspace(context));
  const { assurance } = await requireVerifiedUser(context, `${workspace.base}/settings`);
  const words = await workspaceWords(context.get(appContext));
  const done = new URL(request.url).searchParams.get("done");
  return {
    words,
    workspace,
    recent: isRecent(assurance),
    sso: roleMay(workspace.role, "own")
      ? await ssoView(context.get(appContext), openWorkspace(context).id)
      : undefined,
    done:
      done && Object.hasOwn(words.done, done)
        ? words.done[done as keyof typeof words.done]
        : undefined,
  };
}

export const action = guarded({
  ...settingsForms,
});

export default function Settings({ loaderData: view, actionData: outcome }: Route.ComponentProps) {
  const { words, workspace, done } = view;
  const labels = words.settings;
  const mayChange = roleMay(workspace.role, "settings");
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{labels.title}</h1>
      <p className="mt-3 max-w-prose text-lg wrap-anywhere text-ink-soft">
        {fill(labels.intro, { workspace: workspace.name })}
      </p>
      {done && !outcome ? (
        <Message kind="success" className="mt-6">
          {done}
        </Message>
      ) : null}
      {mayChange ? null : (
        <Message kind="warning" className="mt-6">
          {fill(labels.readOnly, { role: words.roles[workspace.role].name })}
        </Message>
      )}
      <div className="mt-8">
        {mayChange ? (
          <>
            <NameSection view={view} outcome={outcome} />
            <FactorSection view={view} outcome={outcome} />
          </>
        ) : null}
        {view.sso ? (
          <SsoSection
            sso={view.sso}
            workspace={workspace.name}
            words={words}
            recent={view.recent}
            outcome={outcome}
          />
        ) : null}
        {mayChange ? <TokensSection view={view} /> : null}
        {mayChange ? <WebhooksSection view={view} /> : null}
        {mayChange ? <ApproversSection view={view} /> : null}
        {roleMay(workspace.role, "audit") ? <AuditSection view={view} /> : null}
        {roleMay(workspace.role, "own") ? (
          <>
            {workspace.isShared ? <HandOverSection view={view} outcome={outcome} /> : null}
            {workspace.isPersonal && !workspace.isShared ? null : (
              <DeleteSection view={view} outcome={outcome} />
            )}
          </>
        ) : null}
      </div>
    </div>
  );
}
