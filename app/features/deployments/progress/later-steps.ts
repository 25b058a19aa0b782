import type { ProgressStep } from "../stored-deployment";
import type { StepStates } from "./ticks";

/** The steps after the first of the five, which is done as soon as there is a deployment. */
export const laterSteps = ["machine", "dns", "doctor", "connect"] as const satisfies ProgressStep[];

/** The step that is to be done next; undefined when all are done. */
export function nextStep(states: StepStates) {
  return laterSteps.find((step) => !states[step].done);
}

/** How many of the five steps are done. */
export function stepsDone(states: StepStates): number {
  return 1 + laterSteps.filter((step) => states[step].done).length;
}
