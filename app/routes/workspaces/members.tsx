import { guarded, userContext } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { channelsByMember } from "~/features/servers/notifications/alerts-view.server";
import { fill } from "~/features/workspaces/fill";
import { InvitationsSection } from "~/features/workspaces/invitations-section";
import { type MemberOutcome, memberForms } from "~/features/workspaces/member-changes.server";
import { MemberList } from "~/features/workspaces/member-list";
import { type MembersView, membersView } from "~/features/workspaces/members-view.server";
import { PageSection } from "~/features/workspaces/page-parts";
import { RolesTable } from "~/features/workspaces/roles-table";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { pageTitle } from "~/seo/page-meta";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/members";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Members") },
  { name: "robots", content: "noindex" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const scope = { context: context.get(appContext), session: context.get(sessionContext) };
  const query = new URL(request.url).searchParams;
  const workspace = openWorkspace(context);
  const view = await membersView(scope, context.get(userContext).id, workspace, query);
  const { mayInvite, members } = view;
  // What a removal ends beside the tokens.
  const reads = mayInvite && workspace.isShared && members;
  const channels = reads
    ? await channelsByMember(scope.context, workspace, members.listed)
    : undefined;
  return { ...view, channels };
}

export const action = guarded({
  ...memberForms,
});

export default function Members({ loaderData: view, actionData: outcome }: Route.ComponentProps) {
  const { words, workspace, members, done } = view;
  const labels = words.members;
  const isAlone = !workspace.isShared && members !== undefined;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{labels.title}</h1>
      <p className="mt-3 max-w-prose text-lg wrap-anywhere text-ink-soft">
        {isAlone ? labels.alone : fill(labels.intro, { workspace: workspace.name })}
      </p>
      {outcome?.ok === false && isAboutNothingShown(outcome, view) ? (
        <Message kind="failure" className="mt-6">
          {outcome.message}
        </Message>
      ) : null}
      {done && !outcome ? (
        <Message kind="success" className="mt-6">
          {done}
        </Message>
      ) : null}
      <div className="mt-8">
        <PageSection id="members" title={labels.list}>
          <MemberList view={view} outcome={outcome} />
        </PageSection>
        <InvitationsSection view={view} outcome={outcome} />
        <PageSection id="roles" title={labels.roles}>
          <RolesTable words={words} />
        </PageSection>
      </div>
    </div>
  );
}

/** Whether a form was about a member or an invitation that the page no longer shows. */
function isAboutNothingShown(
  { form }: Extract<MemberOutcome, { ok: false }>,
  { members, invitations }: MembersView,
): boolean {
  const [, about] = form.split(" ");
  const rows = [...(members?.listed ?? []), ...(invitations ?? [])];
  return about !== undefined && !rows.some(({ id }) => id === about);
}
