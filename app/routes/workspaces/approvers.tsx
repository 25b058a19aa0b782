import { data } from "react-router";
import { brand } from "~/content/chrome";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { isRecent } from "~/features/auth/session/session.server";
import { approverForms } from "~/features/servers/rollouts/approvers-page/approver-changes.server";
import {
  ApprovalsNeeded,
  NewPasskey,
  PasskeyList,
} from "~/features/servers/rollouts/approvers-page/approver-sections";
import { readApprovers } from "~/features/servers/rollouts/approvers-page/approvers.server";
import { newChallenge } from "~/features/servers/rollouts/approvers-page/challenge.server";
import { relyingParty } from "~/features/servers/rollouts/relying-party";
import { fill } from "~/features/workspaces/fill";
import { workspaceSummary } from "~/features/workspaces/my-workspaces.server";
import { WorkspacePage } from "~/features/workspaces/page-parts";
import { roleMay } from "~/features/workspaces/roles";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { workspaceWords } from "~/features/workspaces/workspace-words.server";
import { appContext } from "~/http/app-context";
import { toBase64url } from "~/http/encodings";
import { sha256 } from "~/http/hashes";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import type { Route } from "./+types/approvers";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Approvers") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "rollout" } satisfies ConsoleHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const workspace = openWorkspace(context);
  const { user, assurance } = await requireVerifiedUser(context, `${workspace.base}/approvers`);
  const app = context.get(appContext);
  const mayRead = roleMay(workspace.role, "rollout");
  const whose = { person: user.id, workspace: workspace.id };
  const [words, approvers, challenge, personId] = await Promise.all([
    workspaceWords(app),
    mayRead ? readApprovers({ context: app, workspace }) : undefined,
    newChallenge(app, whose),
    sha256(`${user.id} ${workspace.id}`),
  ]);
  const mine = approvers?.passkeys.filter(({ person }) => person === user.id) ?? [];
  return data(
    {
      ...{ words, approvers, isRecent: isRecent(assurance), me: user.id },
      ...{ workspace: workspaceSummary(workspace), mayAdd: mayRead },
      mayAll: roleMay(workspace.role, "settings"),
      terms: {
        challenge,
        site: { id: relyingParty(app.configuration.SITE_URL).id, name: brand },
        person: { id: toBase64url(personId), name: user.email ?? workspace.name },
        present: mine.map(({ credential }) => credential),
      },
    },
    { status: mayRead && !approvers ? 503 : 200 },
  );
}

export const action = guarded({
  ...approverForms,
});

export default function Approvers({ loaderData: view, actionData: outcome }: Route.ComponentProps) {
  const { words, approvers, isRecent } = view;
  const labels = words.approvers;
  return (
    <WorkspacePage
      title={labels.title}
      intro={fill(labels.intro, { workspace: view.workspace.name })}
      docs={{ to: "/docs/rollouts", label: labels.docs }}
      failure={view.mayAdd && !approvers ? labels.unreadable : undefined}
    >
      {approvers ? (
        <>
          <PasskeyList
            {...{ words, outcome, passkeys: approvers.passkeys }}
            mayRemove={({ person }) => view.mayAll || person === view.me}
          />
          <NewPasskey {...{ words, outcome, isRecent, terms: view.terms }} />
          <ApprovalsNeeded
            {...{ words, outcome, isRecent, needed: approvers.needed, mayChange: view.mayAll }}
          />
        </>
      ) : null}
    </WorkspacePage>
  );
}
