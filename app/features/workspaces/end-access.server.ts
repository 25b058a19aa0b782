import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { mailEndedChannels } from "./owner-mails.server";

type Context = Pick<AppContext, "bindings">;

/** Whose live pages are closed: those of a session, of a person in all their sessions, or of everybody. */
export type Closed = { session: string } | { person: string } | "all";

/**
 * Closes the sockets of open pages of these workspaces, once the answer is sent. Each page then reads itself again, and
 * sees what it still may. A failure is logged: the ticket of a socket ends within a minute all the same.
 */
export function closePages(
  { bindings, waitUntil }: Pick<AppContext, "bindings" | "waitUntil">,
  workspaces: readonly string[] | Promise<readonly string[]>,
  which: Closed,
): void {
  const close = async () => {
    const ids = await workspaces;
    await Promise.all(ids.map((id) => bindings.FLEETS.closeSockets(id, which)));
  };
  waitUntil(
    close().catch((error: unknown) => {
      log.error("Live pages were not closed", describeError(error));
    }),
  );
}

/** The ids of the workspaces that somebody is a member of; none while the database does not answer, which is logged. */
export async function workspacesOf(
  { configuration }: Pick<AppContext, "configuration">,
  person: string,
): Promise<readonly string[]> {
  const { data, error } = await serviceClient(configuration)
    .from("members")
    .select("workspace_id")
    .eq("user_id", person);
  if (error) log.error("A person's workspaces were not read", describeError(error));
  return (data ?? []).map(({ workspace_id }) => workspace_id);
}

/**
 * Removes a former member from alert channels, which the owners learn by mail, and revokes their enrolment tokens. A call
 * that fails is repeated once, and then logged.
 */
export async function removeFromAlerts(
  context: AppContext,
  workspaces: readonly string[],
  member: string,
): Promise<void> {
  const failure = "A former member may still be told of servers";
  await Promise.all(
    workspaces.map(async (workspace) => {
      const ended = await retryOnce(failure, workspace, () =>
        context.bindings.FLEETS.removePerson(workspace, member),
      );
      // A servers Worker of before does not say them.
      if (ended?.length) mailEndedChannels(context, workspace, ended);
    }),
  );
}

/** Revokes the enrolment tokens of a member whose role does not let them connect servers any more. */
export function revokeEnrolmentTokens(
  { bindings }: Context,
  workspace: string,
  member: string,
): Promise<void> {
  return retryOnce("A member's enrolment tokens were not revoked", workspace, () =>
    bindings.FLEETS.revokeTokens(workspace, { maker: member }),
  );
}

async function retryOnce<Answer>(
  failure: string,
  workspace: string,
  call: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await call().catch(call);
  } catch (error) {
    log.error(failure, { workspace, ...describeError(error) });
  }
}
