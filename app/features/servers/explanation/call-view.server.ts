import type { RouterContextProvider } from "react-router";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { orUndefined } from "../fleets.server";
import { isServerId } from "../server-id";
import { isSessionSid } from "../session-pages/sessions-view.server";

/**
 * The call of one participant, with why it was as it was, as the servers Worker says it; null where the workspace has no
 * such server, session or participant, undefined while they cannot be read.
 */
export async function callView(
  context: Readonly<RouterContextProvider>,
  { id, session, participant }: { id: string; session: string; participant: string },
) {
  const isSid = isSessionSid(session) && /^PA_[A-Za-z0-9]{4,40}$/.test(participant);
  if (!isServerId(id) || !isSid) return null;
  const { FLEETS } = context.get(appContext).bindings;
  const workspace = openWorkspace(context);
  const answer = await orUndefined(
    FLEETS.explainedCall(workspace.id, id, session, participant).then((call) => ({ call })),
  );
  if (!answer) return;
  return answer.call ? { id, ...answer.call } : null;
}
