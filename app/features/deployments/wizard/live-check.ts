import type { DeploymentOptions } from "../bundle/options/options.ts";
import { readFormValues } from "./form-values";
import { readSteps } from "./step-answers";
import { warningsOfStep } from "./step-warnings";
import type { FormStepId } from "./steps";

/** Errors and warnings by field while somebody types. It is the check that the server makes of a posted step. */
export function checkStep(
  step: FormStepId,
  fields: FormData,
  base: Partial<DeploymentOptions>,
): {
  errors: Record<string, string>;
  warnings: Record<string, string>;
  /** The options that the fields make; absent while something is wrong. */
  options?: DeploymentOptions;
} {
  const reading = readSteps([step], readFormValues(fields), base);
  if ("problems" in reading) {
    const here = reading.problems.filter((problem) => problem.step === step);
    return {
      errors: Object.fromEntries(here.map(({ field, message }) => [field, message])),
      warnings: {},
    };
  }
  const { options } = reading;
  return { errors: {}, warnings: warningsOfStep(step, options), options };
}
