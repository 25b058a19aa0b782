import type { FormStepId } from "../steps";
import { deploymentQuestions } from "./deployment";
import { domainQuestions } from "./domain";
import { featuresQuestions } from "./features";
import { managementQuestions } from "./management";
import { networkQuestions } from "./network";
import { protectionQuestions } from "./protection";
import type { Question } from "./question";

/** Every question of the wizard, where a person expects it. */
export const questionsByStep: Record<FormStepId, Question[]> = {
  deployment: deploymentQuestions,
  domain: domainQuestions,
  network: networkQuestions,
  protection: protectionQuestions,
  features: featuresQuestions,
  management: managementQuestions,
};

/** What Basic has of each question that is otherwise Pro's; `plan-limits.ts` enforces it. */
const basicChoices: Readonly<Record<string, string>> = {
  "turn.mode": "auto",
  monitoring: "basic",
  ingress: "none",
  "recording.kind": "none",
  "backups.frequency": "none",
};

/** A step's questions as a plan may answer them: what it lacks is marked with the plan that has it. */
export function questionsFor(step: FormStepId, plan: "Basic" | "Pro"): Question[] {
  return questionsByStep[step].map((question) => {
    if (plan === "Pro" || !("field" in question)) return question;
    if (question.kind === "lines" && question.field === "extraDomains") {
      return { ...question, locked: true };
    }
    const open = basicChoices[question.field];
    if (question.kind !== "choice" || open === undefined) return question;
    const choices = question.choices.map((each) =>
      each.value === open ? each : { ...each, lockedTo: "Pro" as const },
    );
    return { ...question, choices, locked: true };
  });
}
