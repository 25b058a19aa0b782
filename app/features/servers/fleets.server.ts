import type { ServerPage, ServerView } from "~/features/servers/fleet/server-view";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";

// What servers report is kept by the servers Worker (workers/servers/), one object for a workspace. Whoever calls it has
// found that the person may see the workspace. An outage of it is undefined here, as it is of the database.

type Scope = {
  context: Pick<AppContext, "bindings">;
  workspace: { id: string };
};

/** Every server of a workspace, newest first; undefined while they cannot be read. */
export function readServers({ context, workspace }: Scope): Promise<ServerView[] | undefined> {
  return orUndefined(context.bindings.FLEETS.servers(workspace.id));
}

/** One server with what changed on it and its samples of 48 hours; null where the workspace has no such server. */
export async function readServer(
  { context, workspace }: Scope,
  id: string,
): Promise<ServerPage | null | undefined> {
  const answer = await orUndefined(
    context.bindings.FLEETS.server(workspace.id, id).then((found) => ({ found })),
  );
  return answer && (answer.found ?? null);
}

/** What a call of the fleet answers; undefined where it failed, which is logged. */
export async function orUndefined<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    log.error("A workspace's servers were not reached", describeError(error));
  }
}
