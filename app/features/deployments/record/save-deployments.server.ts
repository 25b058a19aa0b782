import type { PostgrestError } from "@supabase/supabase-js";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { roleChanged } from "~/features/workspaces/roles";
import type { AppContext } from "~/http/app-context";
import { largestOptions } from "~/platform/database/quotas";
import { isRoleRefusal } from "~/platform/database/role-refusal";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import type { Problem } from "../bundle/bundle-types.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { entitlementOfVisitor, entitlementOfWorkspace } from "../plan/entitlement.server";
import {
  allowedDeployments,
  type Entitlement,
  fullPlan,
  lockedChoices,
  type Plan,
} from "../plan/plan-limits";
import { readOnlyIn, readOnlyWords } from "../plan/read-only.server";
import type { Deployment, ProgressStep, Tick } from "../stored-deployment";
import { foreignDomain } from "../words/foreign-domains";

/** Who asks, and the workspace in which; null while the database does not answer. */
export type WorkspaceScope = PrincipalScope & { workspace: Pick<Workspace, "id"> | null };

/** A token of a workspace that writes in it, with a database client that sees all rows. */
export type TokenScope = {
  context: AppContext;
  token: { id: string; label: string };
  database: ServiceClient;
};

/** By whose id a function of the database acts: it asks what they may. */
const actorOf = (scope: PrincipalScope | TokenScope): string =>
  "token" in scope ? scope.token.id : scope.principal.user.id;

const readerOf = (scope: PrincipalScope | TokenScope) =>
  "token" in scope ? scope.database : scope.session.supabase;

/** Why nothing was written. */
export type DeploymentRefusal = {
  ok: false;
  status: 400 | 401 | 403 | 404 | 409 | 429 | 503;
  message: string;
  /** What is wrong at which field. */
  problems?: Problem[];
};

const notSaved =
  "This could not be saved right now. What you typed is still here. Please try again in a moment.";
const tooLarge = `These choices are more than ${largestOptions / 1024} KiB of text together. Shorten lists or addresses, please.`;
const unknown: DeploymentRefusal = {
  ok: false,
  status: 404,
  message: "There is no such deployment.",
};
const refused = (status: DeploymentRefusal["status"], message: string): DeploymentRefusal => ({
  ok: false,
  status,
  message,
});

const withoutPlan: Record<Exclude<Entitlement["kind"], "entitled">, string> = {
  none: "Deployments come with a plan. Choose one first; what you typed is kept.",
  ended:
    "Your plan has ended. You can read and download everything; choose a plan to change it again.",
  "on-hold": "Your plan is on hold. Billing says why, and how to change this again.",
};

/** Why an entitlement does not allow writing; undefined when it may. */
export function writingRefusal(entitlement: Entitlement): string | undefined {
  return entitlement.kind === "entitled" ? undefined : withoutPlan[entitlement.kind];
}

function isTooLarge(options: DeploymentOptions): boolean {
  return new TextEncoder().encode(JSON.stringify(options)).length > largestOptions;
}

/** The plan that a workspace has now, or why nobody may write there. */
async function planOf(
  scope: PrincipalScope | TokenScope,
  workspace: WorkspaceScope["workspace"],
): Promise<{ ok: true; plan: Plan; isTrial?: true | undefined } | DeploymentRefusal> {
  const entitlement =
    "token" in scope
      ? await entitlementOfWorkspace(scope.database, scope.context, workspace)
      : await entitlementOfVisitor(scope.session.supabase, scope.context, workspace);
  if (!entitlement) return refused(503, notSaved);
  if (entitlement.kind !== "entitled") return refused(403, withoutPlan[entitlement.kind]);
  return { ok: true, plan: entitlement.plan, isTrial: entitlement.isTrial };
}

function databaseFailed(error: PostgrestError): DeploymentRefusal {
  if (isRoleRefusal(error)) return refused(403, roleChanged);
  log.error("A deployment could not be written", describeError(error));
  return refused(503, notSaved);
}

/** Makes a deployment in a workspace, if its plan has room and every choice. */
export async function createDeployment(
  scope: WorkspaceScope | (TokenScope & { workspace: Pick<Workspace, "id"> }),
  { name, options }: { name: string; options: DeploymentOptions },
): Promise<{ ok: true; id: string } | DeploymentRefusal> {
  if (!scope.workspace) return refused(503, notSaved);
  const entitlement = await planOf(scope, scope.workspace);
  if (!entitlement.ok) return entitlement;
  const { plan, isTrial } = entitlement;
  const problems = lockedChoices(plan, options);
  if (problems.length > 0) return { ...refused(400, "Your plan does not have this."), problems };
  if (isTooLarge(options)) return refused(400, tooLarge);
  const foreign = refusedDomain(options);
  if (foreign) return foreign;
  const { data, error } = await serviceClient(
    scope.context.configuration,
    scope.context.caller,
  ).rpc("create_deployment", {
    owner: actorOf(scope),
    new_name: name,
    new_options: options,
    allowed: allowedDeployments(plan, isTrial),
    workspace: scope.workspace.id,
    ...saverOf(scope),
  });
  if (error) return databaseFailed(error);
  if (!data) {
    log.warn("A quota was reached", { quota: "deployments" });
    return refused(403, fullPlan(plan, isTrial));
  }
  return { ok: true, id: data };
}

/**
 * Saves options or a name over the version that the person saw. `saved` is the deployment as it was
 * read for this request: choices that it had already are not refused.
 */
export async function saveDeployment(
  scope: PrincipalScope | TokenScope,
  saved: Deployment,
  change: {
    name: string;
    options: DeploymentOptions;
    expectedVersion: number;
    /** The older version whose choices these are. */
    restored?: number;
  },
): Promise<{ ok: true } | DeploymentRefusal> {
  const entitlement = await planOf(scope, { id: saved.workspaceId });
  if (!entitlement.ok) return entitlement;
  const { plan } = entitlement;
  const readOnly = await readOnlyIn(saved.workspaceId, readerOf(scope), {
    kind: "entitled",
    plan,
  });
  if (!readOnly) return refused(503, notSaved);
  const reason = readOnlyWords(readOnly, saved.id);
  if (reason) return refused(403, reason);
  const before = "options" in saved.stored ? saved.stored.options : undefined;
  const problems = lockedChoices(plan, change.options, before);
  if (problems.length > 0) return { ...refused(400, "Your plan does not have this."), problems };
  if (isTooLarge(change.options)) return refused(400, tooLarge);
  const foreign = refusedDomain(change.options, before);
  if (foreign) return foreign;
  const database = serviceClient(scope.context.configuration, scope.context.caller);
  const saving = {
    owner: actorOf(scope),
    target: saved.id,
    new_name: change.name,
    new_options: change.options,
    expected_version: change.expectedVersion,
    ...saverOf(scope),
  };
  const { data, error } = await ("token" in scope
    ? database.rpc("save_unchanged_deployment", { ...saving, seen: saved.updatedAt })
    : database.rpc("save_deployment", {
        ...saving,
        ...(change.restored === undefined ? {} : { restored: change.restored }),
      }));
  if (error) return databaseFailed(error);
  if (data === "saved") return { ok: true };
  return data === "conflict"
    ? refused(409, "This deployment was saved elsewhere in the meantime.")
    : unknown;
}

/** Refuses a new domain that is somebody else's. One that is saved stays: nobody is stopped from changing the rest. */
function refusedDomain(
  { domain }: DeploymentOptions,
  before?: DeploymentOptions,
): DeploymentRefusal | undefined {
  const message = domain === before?.domain ? undefined : foreignDomain(domain);
  return message
    ? { ...refused(400, message), problems: [{ path: "domain", message }] }
    : undefined;
}

/** Who is noted at a version. */
function saverOf(scope: PrincipalScope | TokenScope): { saver?: string } {
  if ("token" in scope) return { saver: scope.token.label };
  const { email } = scope.principal.user;
  return email ? { saver: email } : {};
}

/** How long a deletion can be taken back. The functions of the database say the same. */
export const deletedKeptDays = 30;

/** Deletes a deployment; an ended plan does not hold anybody's data. `restoreDeployment` takes it back. */
export async function deleteDeployment(
  scope: PrincipalScope,
  id: string,
): Promise<{ ok: true } | DeploymentRefusal> {
  return written(
    await serviceClient(scope.context.configuration, scope.context.caller).rpc(
      "delete_deployment",
      {
        owner: scope.principal.user.id,
        target: id,
      },
    ),
  );
}

/** Takes a deletion back, if the plan has room. The deployment comes with all its versions. */
export async function restoreDeployment(
  scope: WorkspaceScope,
  id: string,
): Promise<{ ok: true } | DeploymentRefusal> {
  const entitlement = await planOf(scope, scope.workspace);
  if (!entitlement.ok) return entitlement;
  const { data, error } = await serviceClient(
    scope.context.configuration,
    scope.context.caller,
  ).rpc("restore_deployment", {
    owner: scope.principal.user.id,
    target: id,
    allowed: allowedDeployments(entitlement.plan, entitlement.isTrial),
  });
  if (error) return databaseFailed(error);
  if (data === "restored") return { ok: true };
  return data === "full" ? refused(403, fullPlan(entitlement.plan, entitlement.isTrial)) : unknown;
}

/** Notes which version the customer's server runs; `undefined` takes that back. It changes no file. */
export async function setAppliedVersion(
  scope: PrincipalScope,
  id: string,
  version: number | undefined,
): Promise<{ ok: true } | DeploymentRefusal> {
  return written(
    await serviceClient(scope.context.configuration, scope.context.caller).rpc(
      "apply_deployment_version",
      {
        owner: scope.principal.user.id,
        target: id,
        ...(version === undefined ? {} : { new_version: version }),
      },
    ),
  );
}

/** Keeps a note at a version, at most 200 characters; an empty one takes it away. */
export async function noteVersion(
  scope: PrincipalScope,
  id: string,
  version: number,
  note: string,
): Promise<{ ok: true } | DeploymentRefusal> {
  return written(
    await serviceClient(scope.context.configuration, scope.context.caller).rpc(
      "note_deployment_version",
      {
        owner: scope.principal.user.id,
        target: id,
        noted_version: version,
        new_note: note,
      },
    ),
  );
}

/** Marks a step as done for a version, or as not done. It changes no file, so it needs no plan. */
export async function setTick(
  { configuration, caller }: AppContext,
  owner: string,
  { id, version }: Pick<Deployment, "id" | "version">,
  step: ProgressStep,
  how: Tick["how"],
  done = true,
): Promise<{ ok: true } | DeploymentRefusal> {
  return written(
    await serviceClient(configuration, caller).rpc("set_deployment_tick", {
      owner,
      target: id,
      step,
      done,
      of_version: version,
      how,
    }),
  );
}

/** Keeps the addresses of the server that was made from a version. */
export async function setServerAddress(
  { context, principal }: PrincipalScope,
  { id, version }: Pick<Deployment, "id" | "version">,
  { ipv4 = "", ipv6 = "" }: { ipv4?: string; ipv6?: string },
): Promise<{ ok: true } | DeploymentRefusal> {
  return written(
    await serviceClient(context.configuration, context.caller).rpc("set_server_address", {
      owner: principal.user.id,
      target: id,
      new_ipv4: ipv4,
      new_ipv6: ipv6,
      of_version: version,
    }),
  );
}

/** The answer of a function that says whether there was such a row. */
function written({
  data,
  error,
}: {
  data: boolean | null;
  error: PostgrestError | null;
}): { ok: true } | DeploymentRefusal {
  if (error) return databaseFailed(error);
  return data ? { ok: true } : unknown;
}
