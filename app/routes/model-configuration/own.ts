import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import {
  changeOwn,
  configurationUnreadable,
  maxFormBytes,
  refusedChange,
} from "~/features/agents/configuration/own-changes.server";
import { type UserOutcome, userViewAddress } from "~/features/agents/configuration/own-view";
import { readOlderVersions, readOwn } from "~/features/agents/configuration/own-view.server";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { readRefusal } from "~/features/auth/session/sign-in-problems";
import { namedWorkspace, noSuchWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readLongForm } from "~/http/body.server";
import { readFailure } from "~/http/read";
import { answerOr, siteUnreachable } from "~/http/unreachable.client";
import type { Route } from "./+types/own";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * The configuration with its newest versions, and the tokens, of the workspace that `workspace` in the query names;
 * with `before`, a version's number, the versions before that one alone.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const { state } = await session.visitor();
  if (state !== "signed-in") return readRefusal(state);
  const before = new URL(request.url).searchParams.get("before");
  if (before !== null && !/^[1-9]\d{0,8}$/.test(before)) {
    return readFailure(400, "There is no such version.");
  }
  const workspace = await namedWorkspace(request, context);
  if (workspace === null) return readFailure(503, configurationUnreadable);
  if (!workspace) return readFailure(404, noSuchWorkspace);
  const userView =
    before === null
      ? await readOwn(session, workspace)
      : await readOlderVersions(session, workspace, Number(before));
  return userView ? data(userView) : readFailure(503, configurationUnreadable);
}

export const action = guarded({
  refused: (refusal) => answer(refusedChange(refusal)),
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const workspace = await namedWorkspace(request, context);
    if (workspace === undefined) {
      return answer({ ok: false, status: 404, message: noSuchWorkspace });
    }
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      principal,
      workspace,
    };
    return answer(await changeOwn(scope, await readLongForm(request, maxFormBytes)));
  },
});

function answer(outcome: UserOutcome) {
  return data(outcome, { status: outcome.ok ? 200 : outcome.status });
}

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) =>
  answerOr(serverLoader(), readFailure(503, siteUnreachable));

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  answerOr(serverAction(), answer({ ok: false, status: 503, message: siteUnreachable }));

/** What was changed is read again, and so is what somebody else saved in the meantime: status 409. */
export function shouldRevalidate({ formAction, actionStatus }: ShouldRevalidateFunctionArgs) {
  return (
    formAction?.split("?")[0] === userViewAddress && (actionStatus === 200 || actionStatus === 409)
  );
}
