import { checkName } from "../bundle/names.ts";
import { providerIds, regionIds, sizeIds } from "../bundle/providers.ts";
import { displayDomain } from "../words/display-domain";
import { regionWords, sizeWords } from "../words/machine-words";
import type { FormValues } from "./form-values";
import { type Field, fieldsOf, isFieldShown, questionsByStep } from "./questions";
import { type FormStepId, formStepIds, wordsOfStep } from "./steps";
import type { UnsavedChanges } from "./unsaved-changes";

export type ReviewSection = {
  step: FormStepId;
  title: string;
  lines: ReviewLine[];
};

/** An answer, with the name of the field that asked for it. */
export type ReviewLine = { field: string; label: string; value: string; isUnsaved: boolean };

/** The answers that say whether a component runs, and which of their values mean that it does not. */
const chosenBy: Readonly<Record<string, { field: string; off: readonly string[] }>> = {
  "versions.egress": { field: "recording.kind", off: ["none"] },
  "versions.ingress": { field: "ingress", off: ["none"] },
  "versions.sip": { field: "sip.kind", off: ["none"] },
  "versions.redis": { field: "redis.kind", off: ["external", "sentinel", "cluster"] },
};

/** Whether a component runs; of any other field true. */
function runs({ question: { field } }: Field, formValues: FormValues): boolean {
  const by = chosenBy[field];
  return !by?.off.includes(formValues[by.field] ?? "");
}

/** Everything that was chosen, in the words of the questions that asked for it, but no version of what does not run. */
export function reviewOf(formValues: FormValues, changes: UnsavedChanges): ReviewSection[] {
  return formStepIds.map((step) => ({
    step,
    title: wordsOfStep(step).title,
    lines: fieldsOf(questionsByStep[step])
      .filter((field) => isFieldShown(field, formValues))
      .filter((field) => field.question.field in changes || runs(field, formValues))
      .flatMap(({ question: { field, label }, question }) => {
        const isUnsaved = field in changes;
        const value = answerShown(question, formValues) || (isUnsaved ? "nothing" : "");
        return value ? [{ field, label, value, isUnsaved }] : [];
      }),
  }));
}

/** An answer in the words of its question; undefined where there is none. */
export function answerShown(
  question: Field["question"],
  formValues: FormValues,
): string | undefined {
  const text = formValues[question.field] ?? "";
  switch (question.kind) {
    case "check":
      return text === "on" ? "Yes" : "No";
    case "choice":
      return (
        machineAnswer(question.field, formValues) ??
        question.choices.find(({ value }) => value === text)?.label
      );
    default: {
      if (question.kind === "text" && question.zero && text === "0") return question.zero;
      const entries = text.split("\n").filter(Boolean);
      return entries
        .map((entry) => (question.domain ? displayDomain(checkedName(entry)) : entry))
        .join(", ");
    }
  }
}

/** Region and size as they are called at the chosen provider. */
function machineAnswer(field: string, formValues: FormValues): string | undefined {
  const provider = providerIds.find((id) => id === formValues.provider);
  const region = regionIds.find((id) => id === formValues.region);
  const size = sizeIds.find((id) => id === formValues.size);
  if (!provider || provider === "other") return;
  if (field === "region" && region) return regionWords({ provider, region });
  const architecture = formValues.architecture === "arm64" ? "arm64" : "amd64";
  return field === "size" && size ? sizeWords({ provider, size, architecture }) : undefined;
}

/** The checked form of a name that was shown in its own letters. */
function checkedName(letters: string): string {
  const checked = checkName(letters);
  return "name" in checked ? checked.name : letters;
}
