import type { SupabaseClient } from "@supabase/supabase-js";
import type { RequestScope } from "~/features/auth/session/session.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { readVersion } from "../record/deployments.server";
import type { Deployment } from "../stored-deployment";
import { type FormValues, formValuesOf } from "./form-values";
import type { PostedForm } from "./posted-form";
import { readKeptForm, savedFormRemoval } from "./saved-form.server";
import { changesIn, fieldsIn, readUnsavedChanges, type UnsavedChanges } from "./unsaved-changes";
import { usualMachine } from "./usual-machine";

/** A database client with the visitor's own session: row-level security hides other people's rows. */
type Reader = SupabaseClient<Database>;

/** The workspace that a form is for; null while the database does not answer. */
type Place = Pick<Workspace, "id"> | null;

/** A request, who made it, and in which workspace. */
type OwnerScope = RequestScope & { owner: string; workspace: Place };

/** The fields of the forms that make a deployment; each of them posts some. */
const fieldsOfNew = ["domain", "email", ...Object.keys(usualMachine)];

export type Unsaved = {
  /** None while they are discarded. */
  changes: UnsavedChanges;
  /** They were discarded, and that can still be taken back. */
  isDiscarded: boolean;
};

/** What stands in the fields of a deployment as it is saved. */
export function savedValues({ name, stored }: Pick<Deployment, "name" | "stored">): FormValues {
  return formValuesOf(name, "options" in stored ? stored.options : {});
}

/**
 * The visitor's unsaved changes of a deployment, or of the new one. Without an answer of the database there are none:
 * what is saved is shown all the same.
 */
export async function readUnsaved(
  supabase: Reader,
  workspace: Place,
  deployment?: Deployment,
): Promise<Unsaved> {
  if (!workspace) return { changes: {}, isDiscarded: false };
  const { data, error } = await supabase
    .from("unsaved_changes")
    .select("changes, discarded")
    .eq("workspace_id", workspace.id)
    .filter("deployment_id", ...is(deployment?.id))
    .maybeSingle();
  if (error) log.error("Unsaved changes could not be read", describeError(error));
  const saved = deployment ? savedValues(deployment) : {};
  const isDiscarded = data?.discarded ?? false;
  return { changes: isDiscarded ? {} : readUnsavedChanges(data?.changes, saved), isDiscarded };
}

/** The same on arrival at the form. What was posted while nobody was identified becomes unsaved changes then. */
export async function unsavedOnArrival(
  scope: RequestScope & { workspace: Place },
  request: Request,
  deployment?: Deployment,
): Promise<Unsaved & { headers: Record<string, string> }> {
  const postedForm = await readKeptForm(scope.context, request, scope.session);
  if (!postedForm) {
    const unsaved = await readUnsaved(scope.session.supabase, scope.workspace, deployment);
    return { ...unsaved, headers: {} };
  }
  const { changes, refusal } = await keepUnsaved(
    { ...scope, ...postedForm },
    postedForm,
    deployment,
  );
  return {
    changes,
    isDiscarded: false,
    headers: refusal ? {} : { "set-cookie": savedFormRemoval },
  };
}

/** The largest changes that are kept, in bytes of JSON; the database takes a little more. */
const largestChanges = 60_000;

/**
 * Keeps what of a posted form differs from what it was filled with, until it is saved. Answers all unsaved changes of
 * the deployment, and why those of this form could not be kept.
 */
export async function keepUnsaved(
  { context, session, owner, workspace }: OwnerScope,
  { formValues, step, version }: PostedForm,
  deployment?: Deployment,
): Promise<{ changes: UnsavedChanges; refusal?: { status: number; message: string } }> {
  const fields = deployment
    ? fieldsIn(formValues, step)
    : fieldsOfNew.filter((field) => field in formValues);
  const { changes: earlier } = await readUnsaved(session.supabase, workspace, deployment);
  const filledFrom = deployment
    ? await valuesAt(session.supabase, deployment, version)
    : usualMachine;
  const made = changesIn(formValues, fields, filledFrom, earlier);
  const others = Object.entries(earlier).filter(([field]) => !fields.includes(field));
  const changes = { ...Object.fromEntries(others), ...made };
  if (new TextEncoder().encode(JSON.stringify(changes)).length > largestChanges) {
    return { changes, refusal: { status: 400, message: tooLongToKeep } };
  }
  if (!workspace) return { changes, refusal: { status: 503, message: changesNotSaved } };
  const { data, error } = await serviceClient(context.configuration).rpc("keep_unsaved_changes", {
    owner,
    fields_of_form: fields,
    new_changes: made,
    ...(deployment ? { target: deployment.id } : { workspace: workspace.id }),
  });
  if (error) log.error("Unsaved changes could not be kept", describeError(error));
  return data ? { changes } : { changes, refusal: { status: 503, message: changesNotSaved } };
}

const tooLongToKeep =
  "What you typed is too long to be kept while you are away. Save it before you leave.";
const changesNotSaved = "What you typed cannot be kept right now. Save it before you leave.";

/** What stood in the fields at a version; of one that is gone or was never there, what is saved now. */
async function valuesAt(supabase: Reader, deployment: Deployment, version: number) {
  if (version === deployment.version) return savedValues(deployment);
  const found = await readVersion(supabase, deployment.id, version);
  const { stored } = found.state === "found" ? found.value : deployment;
  return savedValues({ name: deployment.name, stored });
}

/**
 * Discards the unsaved changes of a deployment, or of the new one, or takes that back. Answers whether it was done.
 */
export async function setDiscarded(
  { context, owner, workspace }: OwnerScope,
  discarded: boolean,
  deploymentId?: string,
): Promise<boolean> {
  if (!workspace) return false;
  const { error } = await serviceClient(context.configuration)
    .from("unsaved_changes")
    .update({ discarded, updated_at: new Date().toISOString() })
    .eq("user_id", owner)
    .eq("workspace_id", workspace.id)
    .filter("deployment_id", ...is(deploymentId));
  if (error) log.error("Unsaved changes could not be discarded", describeError(error));
  return !error;
}

/** Removes unsaved changes, once they are saved. If that fails they are equal to what is saved, and not shown. */
export async function removeUnsaved(
  { context, owner, workspace }: OwnerScope,
  deploymentId?: string,
): Promise<void> {
  if (!workspace) return;
  const { error } = await serviceClient(context.configuration)
    .from("unsaved_changes")
    .delete()
    .eq("user_id", owner)
    .eq("workspace_id", workspace.id)
    .filter("deployment_id", ...is(deploymentId));
  if (error) log.error("Saved changes could not be removed", describeError(error));
}

/** The operator and value that find the row of a deployment, or of the new one. */
function is(deploymentId: string | undefined): [operator: string, value: string | null] {
  return deploymentId === undefined ? ["is", null] : ["eq", deploymentId];
}
