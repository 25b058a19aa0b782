import {
  changeOwn,
  longestOwnForm,
  ownUnreadable,
  refusedChange,
} from "~/features/agents/configuration/own-changes.server";
import type { OwnOutcome } from "~/features/agents/configuration/own-view";
import { readOlderVersions, readOwn } from "~/features/agents/configuration/own-view.server";
import { guarded } from "~/features/auth/guard/guarded-action.server";
import { apiRefusal } from "~/features/auth/session/api-refusal";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { apiError } from "~/http/api-answers";
import { appContext } from "~/http/app-context";
import { readLongForm } from "~/http/body/form.server";
import type { Route } from "./+types/own";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * The visitor's configuration with its newest versions, and their tokens; with `before`, a version's
 * number, the versions before that one alone.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const { state } = await session.visitor();
  if (state !== "signed-in") return apiRefusal(state);

  const before = new URL(request.url).searchParams.get("before");
  if (before !== null && !/^[1-9]\d{0,8}$/.test(before)) {
    return apiError(400, "There is no such version.");
  }
  const own =
    before === null ? await readOwn(session) : await readOlderVersions(session, Number(before));
  return own ? Response.json(own) : apiError(503, ownUnreadable);
}

export const action = guarded({
  refused: (refusal) => answer(refusedChange(refusal)),
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      principal,
    };
    return answer(await changeOwn(scope, await readLongForm(request, longestOwnForm)));
  },
});

function answer(outcome: OwnOutcome): Response {
  return Response.json(outcome, { status: outcome.ok ? 200 : outcome.status });
}
