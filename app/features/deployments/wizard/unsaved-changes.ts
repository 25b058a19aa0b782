import type { FormValues } from "./form-values.ts";
import { fieldsOf, questionsByStep } from "./questions.ts";
import { type FormStepId, formStepIds, type StepId } from "./steps.ts";

/** By the name of a field: what was saved when somebody changed it, and what they typed. */
export type UnsavedChanges = Readonly<Record<string, { was: string; now: string }>>;

/** A field that was changed here and saved with another value elsewhere. */
export type Conflict = {
  field: string;
  label: string;
  step: FormStepId;
  saved: string;
  typed: string;
};

const fieldsByStep = formStepIds.map((step) => ({ step, fields: fieldsOf(questionsByStep[step]) }));
const places = new Map(
  fieldsByStep.flatMap(({ step, fields }) =>
    fields.map(({ question }) => [question.field, { step, question }] as const),
  ),
);

/** The names of the fields of a step; the review has none. */
export function fieldNamesOf(step: StepId): string[] {
  return [...places].flatMap(([field, place]) => (place.step === step ? [field] : []));
}

/**
 * The fields of a step that a posted form had. A page from before a deploy lacks those that are new; a check box that
 * is off posts nothing.
 */
export function fieldsIn(posted: FormValues, step: StepId): string[] {
  return fieldNamesOf(step).filter(
    (field) => field in posted || places.get(field)?.question.kind === "check",
  );
}

/**
 * What of stored changes can be used: a version of this program that asked other questions may have stored them. Fields
 * that are not asked any more are left out, and so is what has been saved with the same value since.
 */
export function readUnsavedChanges(stored: unknown, saved: FormValues): UnsavedChanges {
  const changes: Record<string, { was: string; now: string }> = {};
  for (const [field, change] of Object.entries(Object(stored))) {
    const was: unknown = Reflect.get(Object(change), "was");
    const now: unknown = Reflect.get(Object(change), "now");
    if (!places.has(field) || typeof was !== "string" || typeof now !== "string") continue;
    if (now !== textOf(saved, field)) changes[field] = { was, now };
  }
  return changes;
}

/** How what was posted for these fields differs from what was saved when the form was filled. */
export function changesIn(
  posted: FormValues,
  fields: readonly string[],
  saved: FormValues,
  earlier: UnsavedChanges = {},
): UnsavedChanges {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const now = textOf(posted, field);
      const was = textOf(saved, field);
      return now === was ? [] : [[field, { was: earlier[field]?.was ?? was, now }]];
    }),
  );
}

/** What stands in the fields: the saved values with the unsaved changes over them. */
export function withChanges(saved: FormValues, changes: UnsavedChanges): FormValues {
  const typed = Object.entries(changes).map(([field, { now }]) => [field, now] as const);
  return { ...saved, ...Object.fromEntries(typed) };
}

/** The steps that have unsaved changes, in their order. */
export function changedSteps(changes: UnsavedChanges): FormStepId[] {
  return formStepIds.filter((step) =>
    Object.keys(changes).some((field) => places.get(field)?.step === step),
  );
}

/** The fields for which another value was saved since they were changed. */
export function conflictsIn(changes: UnsavedChanges, saved: FormValues): Conflict[] {
  return Object.entries(changes).flatMap(([field, { was, now }]) => {
    const place = places.get(field);
    const current = textOf(saved, field);
    if (!place || current === was) return [];
    const { step, question } = place;
    const words = (text: string) =>
      (question.kind === "choice"
        ? question.choices.find(({ value }) => value === text)?.label
        : question.kind === "check"
          ? text && "Yes"
          : text) ?? text;
    return [{ field, label: question.label, step, saved: words(current), typed: words(now) }];
  });
}

/** Text as it is compared: browsers post other line ends than are stored, and a check box that is off posts nothing. */
function textOf(values: FormValues, field: string): string {
  return (values[field] ?? "").replaceAll("\r\n", "\n");
}
