import { checkName } from "../bundle/names.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { displayDomain } from "../words/display-domain";
import { domainFields, formValuesOf } from "./form-values";
import { questionsByStep } from "./questions/by-step";
import type { Question } from "./questions/question";
import type { FormValues } from "./step-answers";
import { type FormStepId, stepIds, wordsOfStep } from "./steps";

export type ReviewSection = {
  step: FormStepId;
  title: string;
  lines: { label: string; value: string }[];
};

/** The checked form of a name that was shown in its own letters. */
function checkedName(letters: string): string {
  const checked = checkName(letters);
  return "name" in checked ? checked.name : letters;
}

/** Everything that was chosen, in the words of the questions that asked for it. */
export function reviewOf(name: string, options: DeploymentOptions): ReviewSection[] {
  const formValues = formValuesOf(name, options);
  return stepIds.flatMap((step) =>
    step === "review"
      ? []
      : [
          {
            step,
            title: wordsOfStep(step).title,
            lines: questionsByStep[step].flatMap((question) => linesOf(question, formValues)),
          },
        ],
  );
}

function linesOf(question: Question, formValues: FormValues): ReviewSection["lines"] {
  switch (question.kind) {
    case "when":
      return question.values.includes(formValues[question.field] ?? "")
        ? question.questions.flatMap((inner) => linesOf(inner, formValues))
        : [];
    case "advanced":
      return question.questions.flatMap((inner) => linesOf(inner, formValues));
    case "check":
      return [{ label: question.label, value: formValues[question.field] === "on" ? "Yes" : "No" }];
    case "choice": {
      const chosen = question.choices.find(({ value }) => value === formValues[question.field]);
      return chosen ? [{ label: question.label, value: chosen.label }] : [];
    }
    default: {
      if (question.kind === "text" && question.zero && formValues[question.field] === "0")
        return [{ label: question.label, value: question.zero }];
      const written = (formValues[question.field] ?? "").split("\n").filter(Boolean);
      const shown = domainFields.includes(question.field)
        ? written.map((letters) => displayDomain(checkedName(letters)))
        : written;
      return shown.length > 0 ? [{ label: question.label, value: shown.join(", ") }] : [];
    }
  }
}
