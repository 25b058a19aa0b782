import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

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
