import type { FormStepId } from "../steps";
import { deploymentQuestions } from "./deployment";
import { featuresQuestions } from "./features";
import { managementQuestions } from "./management";
import type { Question } from "./question";
import { securityQuestions } from "./security";
import { securityAdvancedQuestions } from "./security-advanced";
import { serverQuestions } from "./server";

/** Every question of the wizard, where a person expects it. */
export const questionsByStep: Record<FormStepId, Question[]> = {
  deployment: deploymentQuestions,
  security: securityQuestions,
  server: serverQuestions,
  "security-advanced": securityAdvancedQuestions,
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
