import type { Problem } from "../bundle/bundle-types.ts";
import type { FormValues } from "./form-values.ts";
import { type Field, fieldsOf, isFieldShown, questionsByStep } from "./questions.ts";
import { type FormStepId, formStepIds } from "./steps.ts";

/** What is wrong, by field name; `step` is where a field of another step is asked. */
export type FieldProblem = { field: string; step: FormStepId; message: string };

const fields = formStepIds.flatMap((step) =>
  fieldsOf(questionsByStep[step]).map((field) => ({ step, ...field })),
);

/** Problems of options at the fields that ask for them, the first of each. */
export function fieldProblems(
  problems: readonly Problem[],
  formValues: FormValues,
): FieldProblem[] {
  const found = new Map<string, FieldProblem>();
  for (const { path, message } of problems) {
    const formField = fieldAt(path, formValues);
    if (!formField || found.has(formField.question.field)) continue;
    const { question, step } = formField;
    const line =
      question.kind === "lines" && /^\.(\d+)/.exec(path.slice(formField.path.length))?.[1];
    found.set(question.field, {
      field: question.field,
      step,
      message: line ? `Line ${Number(line) + 1}: ${message}` : message,
    });
  }
  return [...found.values()];
}

/**
 * The field that answers the option at a path: of several the last that is asked. A problem of an option
 * as a whole is shown at its first field.
 */
function fieldAt(path: string, formValues: FormValues): (Field & { step: FormStepId }) | undefined {
  const exact = fields.filter((field) => field.path === path);
  return (
    exact.findLast((field) => isFieldShown(field, formValues)) ??
    exact[0] ??
    fields.find(({ question, path: list }) =>
      question.kind === "lines" ? path.startsWith(`${list}.`) : false,
    ) ??
    fields.find((field) => field.path.startsWith(`${path}.`))
  );
}

/** What is wrong with a deployment's name, which is text that only the console shows. */
export function nameProblems(name: string): FieldProblem[] {
  const message =
    name === ""
      ? "Give it a name, so that you find it again."
      : [...name].length > 80
        ? "A name has at most 80 characters."
        : /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)
          ? "A name has no invisible characters."
          : undefined;
  return message ? [{ field: "name", step: "deployment", message }] : [];
}
