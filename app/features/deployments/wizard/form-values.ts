import { toUnicode } from "../bundle/names.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { valueAt } from "../bundle/options/paths.ts";
import { type Field, fieldsOf, isFieldShown, questionsByStep } from "./questions.ts";

/** What stands in the wizard's fields, by field name. A check box that is off has no entry. */
export type FormValues = Readonly<Record<string, string>>;

const fields = Object.values(questionsByStep).flatMap((questions) => fieldsOf(questions));

/** Options as the wizard's fields show them. */
export function formValuesOf(name: string, options: Partial<DeploymentOptions>): FormValues {
  const formValues: Record<string, string> = { name };
  for (const field of fields) {
    const { question, path } = field;
    if (path === "name") continue;
    // Several fields may answer one option in turn: only the one that is asked shows it.
    const isVisible = path === question.field || isFieldShown(field, formValues);
    const text = isVisible ? fieldText(field, valueAt(options, path)) : undefined;
    if (text !== undefined) formValues[question.field] = text;
  }
  return formValues;
}

function fieldText({ question }: Field, value: unknown): string | undefined {
  if (question.kind === "check") {
    return value === true || (value === undefined && question.on) ? "on" : undefined;
  }
  if (value === undefined) return undefined;
  if (question.kind === "choice") {
    const isOffered = question.choices.some((choice) => choice.value === value);
    return isOffered ? String(value) : (question.other ?? String(value));
  }
  const entries = Array.isArray(value) ? value : [value];
  return entries
    .map((entry) => {
      if ("rules" in question) return Object.values(Object(entry)).join(" ");
      return "domain" in question ? toUnicode(String(entry)) : String(entry);
    })
    .join("\n");
}

/** A posted form as what stands in its fields, without what no field of the wizard is called. */
export function readFormValues(form: Iterable<[string, FormDataEntryValue]>): FormValues {
  const fieldNames = new Set(fields.map(({ question }) => question.field));
  const formValues: Record<string, string> = {};
  for (const [field, value] of form) {
    if (typeof value === "string" && fieldNames.has(field)) formValues[field] = value;
  }
  return formValues;
}
