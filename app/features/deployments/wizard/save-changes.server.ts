import { readDeployment } from "../record/deployments.server";
import { saveDeployment, type WorkspaceScope } from "../record/save-deployments.server";
import type { Deployment } from "../stored-deployment";
import { type FieldProblem, fieldProblems } from "./field-problems";
import type { FormValues } from "./form-values";
import type { PostedForm } from "./posted-form";
import { readSteps } from "./step-answers";
import { formStepIds } from "./steps";
import {
  type Conflict,
  changedSteps,
  conflictsIn,
  fieldNamesOf,
  withChanges,
} from "./unsaved-changes";
import { keepUnsaved, readUnsaved, removeUnsaved, savedValues } from "./unsaved-changes.server";

export type NotSaved = {
  ok: false;
  status: number;
  message: string;
  problems: FieldProblem[];
  /** What the form shows next, and the version that it is filled from. */
  formValues: FormValues;
  version: number;
  /** Where somebody saved other values in the meantime. */
  conflicts: Conflict[];
};

/** Saves what was posted for a step together with the unsaved changes of the other steps, as one version. */
export async function saveChanges(
  scope: WorkspaceScope,
  deployment: Deployment,
  posted: PostedForm,
): Promise<{ ok: true } | NotSaved> {
  const { session, principal, workspace } = scope;
  const owner = { ...scope, owner: principal.user.id };
  const { changes } = await readUnsaved(session.supabase, workspace, deployment);
  const posting = fieldNamesOf(posted.step);
  const elsewhere = Object.entries(changes).filter(([field]) => !posting.includes(field));
  const others = Object.fromEntries(elsewhere);
  // A check box that is off posts nothing: what is saved of the posted step must not stand in for it.
  const unchanged = Object.entries(withChanges(savedValues(deployment), others)).filter(
    ([field]) => !posting.includes(field),
  );
  const typed = { ...Object.fromEntries(unchanged), ...posted.formValues };
  const changed = changedSteps(others);
  const steps = formStepIds.filter((step) => step === posted.step || changed.includes(step));
  const base = "options" in deployment.stored ? deployment.stored.options : {};
  const notSaved = (status: number, message: string, problems: FieldProblem[]): NotSaved => ({
    ok: false,
    status,
    message,
    problems,
    formValues: posted.formValues,
    version: posted.version,
    conflicts: [],
  });

  const reading = readSteps(steps, typed, base);
  if ("problems" in reading) return notSaved(400, "Nothing was saved yet.", reading.problems);
  const outcome = await saveDeployment(scope, deployment, {
    ...reading,
    expectedVersion: posted.version,
  });
  if (outcome.ok) {
    await removeUnsaved(owner, deployment.id);
    return outcome;
  }
  const { status, message } = outcome;
  if (status !== 409)
    return notSaved(status, message, fieldProblems(outcome.problems ?? [], typed));
  const found = await readDeployment(session.supabase, deployment.id);
  const current = found.state === "found" ? found.value : deployment;
  const saved = savedValues(current);
  const mine = await keepUnsaved(owner, posted, current);
  return {
    ...notSaved(409, `${message} ${conflictAdvice}`, []),
    formValues: withChanges(saved, mine.changes),
    // The next save starts from the other member's version: this answer shows its conflicts.
    version: current.version,
    conflicts: conflictsIn(mine.changes, saved),
  };
}

const conflictAdvice =
  "What you typed is still below and not saved. Look whether it still fits, then save again.";
