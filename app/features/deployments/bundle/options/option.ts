import * as z from "zod/mini";
import type { Choice, Question } from "./question.ts";

/** One option of a deployment: the parser, the wizard, the review and the plan limits read it from here. */
export type Option = {
  /** What values are taken. It is called at first use, because making it costs time at the Worker's start. */
  field: () => z.ZodMiniType;
  /** How the wizard asks for it and, from the same labels, how the review shows it. */
  questions: readonly Question[];
  /** The folded part of the step in which it is asked, with its neighbours of the same part. */
  fold?: string;
  /** Set where Basic has the default only. */
  pro?: ProLimit;
  /**
   * What a change of it does to a server that runs, where `livekit-deploy apply` does not bring it there: `nothing`,
   * because the server keeps what it has; `resize`, because the provider changes the machine; `machine`, because
   * only a new machine has it; `machines`, because there are more or fewer of them.
   */
  onRunningServer?: "nothing" | "resize" | "machine" | "machines";
};

export type ProLimit = {
  /** The field that is locked: whatever differs from the default there needs Pro. */
  field: string;
  /** What Pro has, at the beginning of a sentence. */
  name: string;
  /** The same within a list. */
  listed: string;
  /** Options that mean nothing without this one and go with it. */
  dependents?: readonly string[];
};

export type Options = Readonly<Record<string, Option>>;

/**
 * What the documentation and editors say of options, by path: one line, or one for each value. It stands
 * beside the options and is an export of its own, so that the build leaves it out of what ships.
 */
export type OptionDocs = Readonly<
  Record<
    string,
    string | { about: string; values: readonly (readonly [value: string, effect: string])[] }
  >
>;

/** How a value outside a closed list is refused. */
export function oneOf(choices: readonly Choice[]): string {
  return `Choose one of: ${choices.map(({ value }) => value).join(", ")}.`;
}

type ChoiceQuestion<Value extends string> = Omit<
  Extract<Question, { kind: "choice" }>,
  "kind" | "choices"
> & { choices: readonly Choice<Value>[] };

/** What is taken where the answers are a closed list. */
export function choiceField<Value extends string>(
  choices: readonly Choice<Value>[],
  otherwise: NoInfer<Value>,
) {
  const values = choices.map(({ value }) => value);
  return z._default(z.enum(values, oneOf(choices)), otherwise);
}

/** An option that is one answer of a closed list. */
export function choiceOption<Value extends string>(
  question: ChoiceQuestion<Value>,
  otherwise: NoInfer<Value>,
) {
  return {
    field: () => choiceField(question.choices, otherwise),
    questions: [{ kind: "choice", ...question }],
  } as const satisfies Option;
}
