import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { domainWarning } from "~/features/deployments/progress/domain-look.server";
import { deploymentsUnreadable } from "~/features/deployments/record/deployments.server";
import { requestedDeployment } from "~/features/deployments/record/requested-deployment.server";
import { readPostedForm } from "~/features/deployments/wizard/posted-form";
import { changedSteps } from "~/features/deployments/wizard/unsaved-changes";
import { keepUnsaved } from "~/features/deployments/wizard/unsaved-changes.server";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import type { Route } from "./+types/unsaved";

const noChanges: Awaited<ReturnType<typeof keepUnsaved>> = { changes: {} };

/**
 * Keeps what a script sends of a form while somebody types, for a deployment or, by the id "new", for the next one.
 * Answers the steps that have unsaved changes, and the warning about the typed domain. A form with `keep=no` wants
 * only the latter.
 */
export const action = guarded({
  refused: ({ status, message }) => Response.json({ message }, { status }),
  async allowed(args: Route.ActionArgs, principal) {
    const { request, context, params } = args;
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const found = params.id === "new" ? undefined : await requestedDeployment(args);
    if (found && !found.deployment) {
      return Response.json({ message: deploymentsUnreadable }, { status: 503 });
    }
    const workspace = context.get(workspaceContext);
    const scope = { context: app, session, workspace, owner: principal.user.id };
    const form = await readForm(request);
    const posted = readPostedForm(form);
    const { domain } = posted.formValues;
    const [{ changes, refusal }, warning] = await Promise.all([
      form.get("keep") === "no" ? noChanges : keepUnsaved(scope, posted, found?.deployment),
      domainWarning({ context: app, session, request }, domain, found?.deployment?.address),
    ]);
    return refusal
      ? Response.json({ message: refusal.message }, { status: refusal.status })
      : Response.json({ steps: changedSteps(changes), warning });
  },
});
