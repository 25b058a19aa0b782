import type { DeploymentOptions } from "../bundle/options/options.ts";
import { warningsOf } from "../bundle/warnings.ts";
import { displayDomain } from "../words/display-domain";
import { fieldProblems } from "./field-problems";
import { formValuesOf } from "./form-values";
import type { FormStepId } from "./steps";

/** Warnings at the fields of a step: choices that work and may still surprise. */
export function warningsOfStep(
  step: FormStepId,
  options: DeploymentOptions,
): Record<string, string> {
  const found = fieldProblems(warningsOf(options, false), formValuesOf("", options))
    .filter((warning) => warning.step === step)
    .map(({ field, message }): [string, string] => [field, message]);
  const warnings = Object.fromEntries(found);
  const { domain } = options;
  if (step === "domain" && displayDomain(domain) !== domain) {
    warnings.domain = `In DNS it is written ${domain}.`;
  }
  return warnings;
}
