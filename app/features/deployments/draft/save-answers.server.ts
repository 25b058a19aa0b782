import { deploymentFields } from "~/content/deployment-fields";
import type { GuardRefusal } from "~/features/auth/guard.server";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import type { OpenWorkspace } from "~/features/workspaces/workspace.server";
import { parseOptions } from "../bundle/options/parse-options.ts";
import { entitlementOfVisitor } from "../plan/entitlement.server";
import { readOnlyIn } from "../plan/read-only.server";
import { deploymentsUnreadable, listDeployments } from "../record/deployments.server";
import { saveDeployment } from "../record/save-deployments.server";
import { parseDraft } from "./draft";
import { draftOver } from "./draft-options";

export type SavedAnswers =
  /** Nobody is signed in: the page goes on as the demo that it is. */
  | { kind: "demo" }
  /** There is no deployment yet: the answers stay in the browser, and the console asks the rest. */
  | { kind: "begin"; base: string }
  /** `workspace` is the name of the one that it belongs to, for somebody who has several. */
  | { kind: "saved"; base: string; id: string; name: string; workspace: string | undefined }
  | { kind: "refused"; status: number; message: string };

function refused(status: number, message: string): SavedAnswers {
  return { kind: "refused", status, message };
}

/** What the dialog says when the guard refuses. */
export function refusedAnswers({ why, status, message }: GuardRefusal): SavedAnswers {
  return refused(status, why === "unavailable" ? deploymentsUnreadable : message);
}

/** Puts the answers of a dialog on /services into the last saved deployment of a workspace. */
export async function saveAnswers(
  scope: PrincipalScope & { workspace: OpenWorkspace | null },
  form: URLSearchParams,
): Promise<SavedAnswers> {
  const { context, session, workspace } = scope;
  const [page, entitlement] = await Promise.all([
    listDeployments(session.supabase, workspace),
    entitlementOfVisitor(session.supabase, context, workspace),
  ]);
  const readOnly =
    workspace && entitlement && (await readOnlyIn(workspace.id, session.supabase, entitlement));
  if (!workspace || !page || !readOnly) return refused(503, deploymentsUnreadable);
  const { base } = workspace;
  const newest = page.deployments.find(({ id }) => !readOnly.ids.has(id));
  if (!newest || !("options" in newest.stored)) return { kind: "begin", base };
  const answers = [...form].filter(([field]) => Object.hasOwn(deploymentFields, field));
  const draft = parseDraft(JSON.stringify(Object.fromEntries(answers)));
  const { candidate, open } = draftOver(draft, newest.stored.options);
  const { options, problems } = parseOptions(candidate);
  if (!options) return refused(400, problems.map(({ message }) => message).join(" "));
  if (open.length > 0) {
    return refused(
      400,
      `${open.map((field) => deploymentFields[field].label).join(" and ")} needs more than is asked here. Nothing was saved: choose it in the console.`,
    );
  }
  const outcome = await saveDeployment(scope, newest, {
    name: newest.name,
    options,
    expectedVersion: newest.version,
  });
  if (outcome.ok) {
    const of = workspace.all.length > 1 ? workspace.name : undefined;
    return { kind: "saved", base, id: newest.id, name: newest.name, workspace: of };
  }
  const locked = (outcome.problems ?? []).map(({ message }) => message);
  const advice = locked.length > 0 ? ["Change to Pro under Billing in your dashboard."] : [];
  const words = [outcome.message, ...locked, ...advice];
  return refused(outcome.status, words.join(" "));
}
