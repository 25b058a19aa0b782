import type { DeploymentOptions } from "../deployments/bundle/options/options.ts";
import { formValuesOf } from "../deployments/wizard/form-values.ts";
import { fieldsOf, isFieldShown, questionsByStep } from "../deployments/wizard/questions.ts";
import { answerShown } from "../deployments/wizard/review-lines.ts";

const fields = Object.values(questionsByStep).flatMap((questions) => fieldsOf(questions));

/** An option as the wizard asks for it, and its answer in the words that the wizard has. */
export function optionWords(
  option: string,
  options: DeploymentOptions,
): { label: string; value: string } {
  const formValues = formValuesOf("", options);
  const asking = fields.filter(({ path }) => path === option || path.startsWith(`${option}.`));
  const answers = asking
    .filter((field) => isFieldShown(field, formValues))
    .map(({ question }) => answerShown(question, formValues))
    .filter((answer) => answer && answer !== "No");
  return { label: asking[0]?.question.label ?? option, value: answers.join(", ") || "No" };
}
