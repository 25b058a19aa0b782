import type { Options } from "../bundle/options/option.ts";
import { optionsByStep } from "../bundle/options/options.ts";
import { basicValue, proLimits } from "../bundle/options/pro-limits.ts";
import type { Question } from "../bundle/options/question.ts";
import type { FormStepId } from "./steps.ts";

/** A name is no option: no file of a deployment depends on it. */
const nameQuestion: Question = {
  kind: "text",
  field: "name",
  label: "Name",
  hint: "For you alone: it appears in this console and nowhere else.",
};

/** Every question of the wizard by step, as the table of options has them. */
export const questionsByStep: Readonly<Record<FormStepId, readonly Question[]>> = {
  deployment: [nameQuestion, ...questionsOf(optionsByStep.deployment)],
  domain: questionsOf(optionsByStep.domain),
  network: questionsOf(optionsByStep.network),
  protection: questionsOf(optionsByStep.protection),
  features: questionsOf(optionsByStep.features),
  management: questionsOf(optionsByStep.management),
};

/** The questions of options in their order. Neighbours of the same folded part stand in it together. */
function questionsOf(options: Options): Question[] {
  const listed: Question[] = [];
  for (const { fold, questions } of Object.values(options)) {
    const last = listed.at(-1);
    if (fold === undefined) listed.push(...questions);
    else if (last?.kind === "advanced" && last.label === fold)
      listed[listed.length - 1] = { ...last, questions: [...last.questions, ...questions] };
    else listed.push({ kind: "advanced", label: fold, questions });
  }
  return listed;
}

/** A step's questions as a plan may answer them: what it lacks is marked with the plan that has it. */
export function questionsFor(step: FormStepId, plan: "Basic" | "Pro"): readonly Question[] {
  return plan === "Pro" ? questionsByStep[step] : questionsByStep[step].map(lockedToPro);
}

function lockedToPro(question: Question): Question {
  if (question.kind === "when") return question;
  if (question.kind === "advanced")
    return { ...question, questions: question.questions.map(lockedToPro) };
  const limit = proLimits.find(({ field }) => field === question.field);
  if (limit && question.kind === "lines") return { ...question, locked: true };
  if (!limit || question.kind !== "choice") return question;
  const open = basicValue(limit);
  const choices = question.choices.map((each) =>
    each.value === open ? each : { ...each, lockedTo: "Pro" as const },
  );
  return { ...question, choices, locked: true };
}

type When = Extract<Question, { kind: "when" }>;

/** One field of a form, the path of its option, and the choices after which it is asked. */
export type Field = {
  question: Exclude<Question, { kind: "when" | "advanced" }>;
  path: string;
  after: readonly When[];
};

/** Every field of these questions in their order. */
export function fieldsOf(questions: readonly Question[], after: readonly When[] = []): Field[] {
  return questions.flatMap((question) => {
    switch (question.kind) {
      case "advanced":
        return fieldsOf(question.questions, after);
      case "when":
        return fieldsOf(question.questions, [...after, question]);
      default: {
        const path = "path" in question ? question.path : undefined;
        return [{ question, path: path ?? question.field, after }];
      }
    }
  });
}

/** Whether the answers that stand in a form ask for this field. */
export function isFieldShown(
  { after }: Field,
  formValues: Readonly<Record<string, string>>,
): boolean {
  return after.every(({ field, values }) => values.includes(formValues[field] ?? ""));
}
