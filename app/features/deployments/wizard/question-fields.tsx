import { useId } from "react";
import { Badge } from "~/ui/primitives/badge";
import { TextAreaField, TextField } from "~/ui/primitives/fields";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import type { Choice, Question } from "../bundle/options/question.ts";
import type { FormValues } from "./form-values";
import type { MachineNotes } from "./machine-notes";

/** What the fields show: what stands in them, and by field name what is wrong or worth knowing. */
export type QuestionState = {
  formValues: FormValues;
  errors: Readonly<Record<string, string>>;
  warnings: Readonly<Record<string, string>>;
  machine: MachineNotes | undefined;
  /** What Pro costs, for a customer without it. */
  proPrice: string | undefined;
};

/** Questions in their order; those that depend on a choice stand below it. */
export function QuestionFields({
  questions,
  state,
}: {
  questions: readonly Question[];
  state: QuestionState;
}) {
  return questions.map((question) => {
    switch (question.kind) {
      case "choice":
        return (
          <ChoiceGroup
            key={question.field}
            question={question}
            dependent={questions.filter(
              (each) => each.kind === "when" && each.field === question.field,
            )}
            state={state}
          />
        );
      case "when":
        return null;
      case "advanced":
        return (
          <details
            key={question.label}
            open={hasProblem(question.questions, state) || undefined}
            className="rounded-md border border-line bg-raised"
          >
            <summary className="min-h-11 px-5 py-3 font-strong hover:text-signal">
              {question.label}
            </summary>
            <div className="grid gap-8 border-t border-line p-5">
              <QuestionFields questions={question.questions} state={state} />
            </div>
          </details>
        );
      case "check":
        return <Check key={question.field} question={question} state={state} />;
      default:
        return <Written key={question.field} question={question} state={state} />;
    }
  });
}

function hasProblem(questions: readonly Question[], state: QuestionState): boolean {
  return questions.some(
    (question) =>
      ("field" in question && question.field in state.errors) ||
      ("questions" in question && hasProblem(question.questions, state)),
  );
}

function Written({
  question,
  state,
}: {
  question: Extract<Question, { kind: "text" | "lines" }>;
  state: QuestionState;
}) {
  const list = useId();
  const { field, label, hint } = question;
  const words = {
    name: field,
    label,
    hint: <Hint hint={hint} warning={state.warnings[field]} />,
    error: state.errors[field],
    defaultValue: state.formValues[field] ?? "",
    placeholder: question.placeholder,
    spellCheck: false,
    autoCapitalize: "none",
  };
  if (question.kind === "lines") {
    return (
      <div>
        <TextAreaField {...words} rows={3} />
        {question.locked ? <PlanNote price={state.proPrice} /> : null}
      </div>
    );
  }
  const { suggestions } = question;
  return (
    <div>
      <TextField
        {...words}
        {...(suggestions ? { list } : {})}
        // A number has a text field: type="number" would post an empty value for what is not a number.
        type={question.type === "number" ? "text" : (question.type ?? "text")}
        inputMode={question.type === "number" ? "numeric" : question.type}
        // Browsers may fill in the person's email address; in other fields what they remember would be wrong.
        autoComplete={question.type === "email" ? "email" : "off"}
      />
      {suggestions ? (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      ) : null}
    </div>
  );
}

function Hint({ hint, warning }: { hint: string | undefined; warning: string | undefined }) {
  return (
    <>
      <span>{hint}</span>
      {warning ? <span className="text-warning"> {warning}</span> : null}
    </>
  );
}

function Check({
  question: { field, label, hint },
  state,
}: {
  question: Extract<Question, { kind: "check" }>;
  state: QuestionState;
}) {
  const id = useId();
  const error = state.errors[field];
  return (
    <div>
      <label className="inline-flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name={field}
          defaultChecked={state.formValues[field] === "on"}
          className="size-5 accent-signal"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
        />
        {label}
      </label>
      {hint ? <p className="text-sm text-ink-soft">{hint}</p> : null}
      {error ? (
        <p id={id} className="text-sm text-failure">
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** A choice as cards, and below them the questions of each value. A rule in app.css shows those of the chosen one. */
function ChoiceGroup({
  question,
  dependent,
  state,
}: {
  question: Extract<Question, { kind: "choice" }>;
  dependent: readonly Question[];
  state: QuestionState;
}) {
  const id = useId();
  const { field, label, hint, choices } = question;
  const error = state.errors[field];
  const warning = state.warnings[field];
  const parts = dependent.flatMap((each) => (each.kind === "when" ? [each] : []));
  const notes = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`];
  return (
    <fieldset
      className="choice"
      aria-describedby={notes.filter(Boolean).join(" ") || undefined}
      aria-invalid={error ? true : undefined}
    >
      <legend className="font-strong">{label}</legend>
      <div
        className={`mt-2 grid gap-2 ${question.compact || choices.every(({ effect }) => !effect) ? "grid-cols-[repeat(auto-fill,minmax(8rem,1fr))]" : choices.length === 3 ? "md:grid-cols-3" : "md:grid-cols-2"}`}
      >
        {choices.map((choice) => {
          const part = parts.findIndex(({ values }) => values.includes(choice.value));
          return (
            <ChoiceCard
              key={choice.value}
              field={field}
              choice={choice}
              note={state.machine?.notes[`${field} ${choice.value}`]}
              chosen={state.formValues[field] === choice.value}
              reveals={part < 0 ? undefined : part + 1}
            />
          );
        })}
      </div>
      {field === "size" && state.machine ? (
        <p className="mt-2 text-sm text-ink-soft">
          {/* One text: by itself that of a provider without prices would be empty, and no node. */}
          <span>{`${state.machine.prices} `}</span>
          <TextLink to={state.machine.page} target="_blank" rel="noreferrer">
            {state.machine.link} (opens in a new tab)
          </TextLink>
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="mt-2 text-sm text-ink-soft">
          {hint}
        </p>
      ) : null}
      {warning ? (
        <p id={`${id}-warning`} className="mt-2 text-sm text-warning">
          {warning}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="mt-2 text-sm text-failure">
          {error}
        </p>
      ) : null}
      {question.locked ? <PlanNote price={state.proPrice} /> : null}
      {parts.map((part, at) => (
        <div
          key={part.values.join()}
          data-part={at + 1}
          className="mt-4 grid gap-6 border-l-2 border-line-strong pl-5"
        >
          <QuestionFields questions={part.questions} state={state} />
        </div>
      ))}
    </fieldset>
  );
}

function ChoiceCard({
  field,
  choice,
  note,
  chosen,
  reveals,
}: {
  field: string;
  choice: Choice;
  /** What it is at the chosen provider. */
  note: string | undefined;
  chosen: boolean;
  reveals: number | undefined;
}) {
  return (
    <label className="relative flex min-h-11 gap-3 rounded-md border border-line-strong px-3.5 py-2.5 transition-colors has-checked:border-signal has-checked:bg-signal-well has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-signal bg-raised hover:border-ink">
      <input
        type="radio"
        name={field}
        value={choice.value}
        defaultChecked={chosen}
        data-reveals={reveals}
        className="mt-1 size-4 shrink-0 accent-signal outline-none"
      />
      <span className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2 font-strong">
          <span>{choice.label}</span>
          {choice.lockedTo ? <Badge variant="outline">{choice.lockedTo}</Badge> : null}
        </span>
        {choice.effect ? (
          <span className="mt-0.5 block text-sm text-ink-soft">{choice.effect}</span>
        ) : null}
        {note ? <span className="mt-0.5 block text-sm wrap-anywhere">{note}</span> : null}
      </span>
    </label>
  );
}

/**
 * Leads to the plan that has the choice. It submits the form, so that what was chosen is kept and there on the way
 * back; until then it cannot be saved.
 */
function PlanNote({ price }: { price: string | undefined }) {
  return (
    <p className="mt-2 text-sm text-ink-soft">
      <span>Part of Pro. </span>
      <TextButton
        type="submit"
        name="leave"
        value="plan"
        className="inline-flex min-h-6 items-center text-ink"
      >
        Change to Pro
      </TextButton>
      <span>{`${price ? ` for ${price}` : ""}: what you choose here is kept until you are back.`}</span>
    </p>
  );
}
