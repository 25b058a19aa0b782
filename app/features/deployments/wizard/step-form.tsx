import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import type { Question } from "../bundle/options/question.ts";
import { LivePreview } from "../files/live-preview";
import type { FormValues } from "./form-values";
import { QuestionFields } from "./question-fields";
import type { FormStepId } from "./steps";

type StepProblems = {
  errors: Record<string, string>;
  elsewhere: { step: string; title: string; message: string }[];
  message: string;
};

/** One step as a form. The server checks what is posted; with script it is checked while one types. */
export function StepForm({
  step,
  id,
  version,
  questions,
  formValues,
  base,
  warnings,
  outcome,
  readOnly,
  afterSaving,
}: {
  step: FormStepId;
  id: string;
  version: number;
  questions: readonly Question[];
  formValues: FormValues;
  base: DeploymentOptions | undefined;
  warnings: Record<string, string>;
  outcome: StepProblems | undefined;
  readOnly: boolean;
  /** Beside the buttons, where whoever pressed one of them looks. */
  afterSaving: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [live, setLive] = useState<Live>();
  const busy = useNavigation().state !== "idle";
  useEffect(() => {
    setLive(undefined);
    if (outcome) summary.current?.focus();
  }, [outcome]);

  /** Errors are shown only at fields that somebody has left, not while they still type in them. */
  const check = async (changed: string) => {
    if (!form.current || !changed) return;
    const fields = new FormData(form.current);
    const { checkStep } = await import("./live-check").catch(() => ({ checkStep: undefined }));
    if (!checkStep) return;
    const found = checkStep(step, fields, base ?? {});
    setLive((earlier) => {
      const touched = new Set([
        ...(earlier?.touched ?? Object.keys(outcome?.errors ?? {})),
        changed,
      ]);
      return { ...found, options: found.options ?? earlier?.options, touched };
    });
  };
  const errors = live
    ? Object.fromEntries(Object.entries(live.errors).filter(([field]) => live.touched.has(field)))
    : (outcome?.errors ?? {});

  return (
    <Form
      ref={form}
      method="post"
      noValidate
      preventScrollReset
      className="mt-8 grid gap-8"
      onChange={({ target }) => {
        const chosen = target instanceof HTMLInputElement && /radio|checkbox/.test(target.type);
        if (chosen) void check(target.name);
      }}
      onBlur={({ target }) => {
        const written =
          (target instanceof HTMLInputElement && !/radio|checkbox/.test(target.type)) ||
          target instanceof HTMLTextAreaElement;
        if (written && target.value !== target.defaultValue) void check(target.name);
      }}
    >
      {/* Enter in a field presses the first button of its form: this one, and not the way to a plan. */}
      {readOnly ? null : (
        <button
          type="submit"
          tabIndex={-1}
          aria-hidden="true"
          disabled={busy}
          className="sr-only"
        />
      )}
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="version" value={version} />
      {outcome ? (
        <div
          ref={summary}
          role="alert"
          tabIndex={-1}
          className="rounded-md border border-failure bg-failure-well px-4 py-3 text-failure"
        >
          <p>{outcome.message}</p>
          {Object.keys(outcome.errors).length > 0 ? <p>Please look at the marked fields.</p> : null}
          {outcome.elsewhere.map((problem) => (
            <p key={problem.message}>
              <TextLink to={`?step=${problem.step}`}>{problem.title}</TextLink>: {problem.message}
            </p>
          ))}
        </div>
      ) : null}
      <fieldset disabled={readOnly} className="grid min-w-0 gap-8">
        <legend className="sr-only">Choices</legend>
        <QuestionFields
          questions={questions}
          shown={{ formValues, errors, warnings: live?.warnings ?? warnings }}
        />
      </fieldset>
      {readOnly ? null : (
        <div className="flex flex-wrap gap-3 border-t border-line pt-6">
          <Button type="submit" name="then" value="next" disabled={busy}>
            {busy ? "Saving..." : "Save and continue"}
          </Button>
          <Button type="submit" name="then" value="stay" variant="secondary" disabled={busy}>
            Save
          </Button>
          <TextLink to={`/dashboard/deployments/${id}`} variant="standalone" className="px-3">
            Leave without saving
          </TextLink>
        </div>
      )}
      {afterSaving}
      {base ? (
        <LivePreview
          options={live?.options ?? base}
          earlier={{ options: base, name: "what is saved" }}
        />
      ) : null}
    </Form>
  );
}

type Live = {
  errors: Record<string, string>;
  warnings: Record<string, string>;
  /** The options of the last check without errors. */
  options: DeploymentOptions | undefined;
  touched: ReadonlySet<string>;
};
