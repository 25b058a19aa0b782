import { data } from "react-router";
import { trialConnections } from "~/content/trial";
import { guarded } from "~/features/auth/guard.server";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import { LiveRooms } from "~/features/deployments/live-rooms/live-rooms";
import type { NoteAnswer } from "~/features/deployments/live-rooms/room-act";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { noteRoomAct } from "~/features/servers/pages/note-room-act.server";
import { roleMay, useMay } from "~/features/workspaces/roles";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext, pagePermissions } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { answerOr, siteUnreachable } from "~/http/unreachable.client";
import { pageTitle } from "~/seo/page-meta";
import { useOwnDocument } from "~/ui/console/use-own-document";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/rooms";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Live rooms") },
  { name: "robots", content: "noindex" },
];

export const handle = {
  ...deploymentHandle({ path: "rooms", label: "Live rooms" }),
  right: "servers",
  isRead: true,
} as const;

export async function loader(args: Route.LoaderArgs) {
  const { context } = args;
  const { name, stored } = foundOrThrow(await findDeployment(args));
  if (!("options" in stored)) throw data(outdatedChoices, { status: 409 });
  const { domain } = stored.options;
  const isTrial = await isInTrial(context.get(sessionContext));
  // Who may do nothing here connects nowhere.
  if (!isTrial && roleMay(openWorkspace(context).role, "servers")) {
    context.set(pagePermissions, { host: domain });
  }
  return { name, domain, isTrial };
}

export const action = guarded({
  refused: ({ status, message }) => data<NoteAnswer>({ isNoted: false, message }, { status }),
  async allowed(args: Route.ActionArgs, principal) {
    const { request, context } = args;
    const deployment = foundOrThrow(await findDeployment(args));
    return noteRoomAct({
      context: context.get(appContext),
      session: context.get(sessionContext),
      workspace: openWorkspace(context),
      ...{ principal, deployment, form: await readForm(request) },
    });
  },
});

const notNoted: NoteAnswer = { isNoted: false, message: `${siteUnreachable} Nothing was done.` };

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction(), notNoted);
}

export default function Rooms({ loaderData: { domain, isTrial } }: Route.ComponentProps) {
  useOwnDocument();
  const mayAct = useMay("servers");
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Live rooms</h1>
      <p className="mt-3 mb-8 max-w-prose wrap-anywhere text-ink-soft">
        {`Who is in a call on ${domain} right now. This browser asks your server itself: names stay between the two, and what you do to a room or to somebody in it stands in the audit log without them.`}
      </p>
      {isTrial ? (
        <Message kind="neutral">{trialConnections.rooms}</Message>
      ) : mayAct ? (
        <>
          <Message kind="warning" className="mb-8 scripted:hidden">
            Rooms are read by this browser, and that needs JavaScript. Allow it for this site. Or
            call <code>sudo livekit-deploy rooms</code> on the server: it says how many are in
            calls.
          </Message>
          <LiveRooms domain={domain} />
        </>
      ) : null}
    </div>
  );
}
