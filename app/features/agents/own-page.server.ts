import { type ActionFunctionArgs, data } from "react-router";
import type { GuardRefusal } from "~/features/auth/guard.server";
import { type Principal, sessionContext } from "~/features/auth/session/session.server";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readLongForm } from "~/http/body.server";
import { changeOwn, maxFormBytes, refusedChange } from "./configuration/own-changes.server";
import type { UserOutcome } from "./configuration/own-view";
import type { PostedForm } from "./use-own-change";

/**
 * What the action of a page of the console does with forms for what is its workspace's own, where no script sends them. A refusal is
 * shown beside what was typed.
 */
export const userPageForms = {
  async refused(refusal: GuardRefusal, { request }: ActionFunctionArgs) {
    return answer(await readLongForm(request, maxFormBytes), refusedChange(refusal));
  },
  async allowed({ request, context }: ActionFunctionArgs, principal: Principal) {
    const form = await readLongForm(request, maxFormBytes);
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      principal,
      workspace: context.get(workspaceContext),
    };
    return answer(form, await changeOwn(scope, form));
  },
};

function answer(form: URLSearchParams | undefined, outcome: UserOutcome) {
  const posted: PostedForm = { fields: Object.fromEntries(form ?? []), outcome };
  return data(posted, { status: outcome.ok ? 200 : outcome.status });
}
