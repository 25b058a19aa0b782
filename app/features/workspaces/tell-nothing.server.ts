import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";

type Context = Pick<AppContext, "bindings">;

/**
 * From now on a person is told nothing of these workspaces' servers, of which they are no member any more, and the
 * enrolment tokens that they made there connect nothing. What fails is tried once more, and then logged.
 */
export async function tellNothing(
  { bindings }: Context,
  workspaces: readonly string[],
  person: string,
): Promise<void> {
  const failed = "A former member may still be told of servers";
  await Promise.all(
    workspaces.map((workspace) =>
      twice(failed, workspace, () => bindings.FLEETS.removePerson(workspace, person)),
    ),
  );
}

/** Revokes the enrolment tokens of a person whose role does not let them connect servers any more. */
export function revokeTokensOf(
  { bindings }: Context,
  workspace: string,
  person: string,
): Promise<void> {
  return twice("A member's enrolment tokens were not revoked", workspace, () =>
    bindings.FLEETS.revokeTokens(workspace, { maker: person }),
  );
}

async function twice(failed: string, workspace: string, call: () => Promise<void>) {
  try {
    await call().catch(call);
  } catch (error) {
    log.error(failed, { workspace, ...describeError(error) });
  }
}
