import type { DeploymentOptions } from "../bundle/options/options.ts";
import { formValuesOf } from "../wizard/form-values.ts";
import { fieldsOf, isFieldShown, questionsByStep } from "../wizard/questions.ts";
import { answerShown } from "../wizard/review-lines.ts";
import { type FormStepId, formStepIds } from "../wizard/steps.ts";
import { type Effect, effectAt, type Task, tasksOf } from "./tasks.ts";

export type ChangedChoice = {
  step: FormStepId;
  field: string;
  label: string;
  /** In the words of the question; undefined where the choice was not asked or left empty. */
  before: string | undefined;
  after: string | undefined;
  effect: Effect;
};

export type VersionChange = { choices: ChangedChoice[]; tasks: Task[] };

/**
 * What differs between two versions of a deployment, by choices, and what it asks of a server that runs.
 * `installsOther` says whether they put other files on a machine (`installedHash`).
 */
export function changeBetween(
  before: DeploymentOptions,
  after: DeploymentOptions,
  installsOther: boolean,
): VersionChange {
  const choices = changedChoices(before, after, installsOther);
  const found = choices.map(({ effect }) => effect);
  const tasks = tasksOf(before, after, found, installsOther);
  // What ran before is given no other files then.
  const isMoved = tasks.includes("old-machines");
  return {
    choices: isMoved ? choices.map((each) => ({ ...each, effect: moved(each.effect) })) : choices,
    tasks,
  };
}

const moved = (effect: Effect): Effect => (effect === "nothing" ? "nothing" : "machines");

function changedChoices(
  before: DeploymentOptions,
  after: DeploymentOptions,
  installsOther: boolean,
): ChangedChoice[] {
  const [old, now] = [formValuesOf("", before), formValuesOf("", after)];
  return formStepIds.flatMap((step) =>
    fieldsOf(questionsByStep[step]).flatMap((field) => {
      const { question, path } = field;
      const [was, is] = [old, now].map((formValues) =>
        isFieldShown(field, formValues)
          ? answerShown(question, formValues) || undefined
          : undefined,
      );
      // A box that nobody ticked says nothing, whether it was asked or not.
      const isOff = question.kind === "check" && was !== "Yes" && is !== "Yes";
      if (was === is || isOff || path === "name") return [];
      const effect = effectAt(path, installsOther);
      return [
        { step, field: question.field, label: question.label, before: was, after: is, effect },
      ];
    }),
  );
}
