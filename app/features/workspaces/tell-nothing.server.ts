import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";

type Context = Pick<AppContext, "bindings">;

/**
 * From now on a person is told nothing of these workspaces' servers, of which they are no member any more. What fails is
 * tried once more, and then logged.
 */
export async function tellNothing(
  { bindings }: Context,
  workspaces: readonly string[],
  person: string,
): Promise<void> {
  const end = (workspace: string) => bindings.FLEETS.removePerson(workspace, person);
  await Promise.all(
    workspaces.map(async (workspace) => {
      try {
        await end(workspace).catch(() => end(workspace));
      } catch (error) {
        log.error("A former member may still be told of servers", {
          workspace,
          ...describeError(error),
        });
      }
    }),
  );
}
