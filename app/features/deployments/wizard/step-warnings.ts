import { bundle } from "../bundle/bundle.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { displayDomain } from "../words/display-domain";
import type { FormStepId } from "./steps";
import { fieldProblems, typedOf } from "./typed-options";

/** What can be built and may still surprise, at the fields of a step. */
export function warningsOfStep(
  step: FormStepId,
  options: DeploymentOptions,
): Record<string, string> {
  const found = fieldProblems(bundle(options).warnings, typedOf("", options))
    .filter((warning) => warning.step === step)
    .map(({ field, message }): [string, string] => [field, message]);
  const warnings = Object.fromEntries(found);
  const { domain } = options;
  if (step === "security" && displayDomain(domain) !== domain) {
    warnings.domain = `In DNS it is written ${domain}.`;
  }
  return warnings;
}
