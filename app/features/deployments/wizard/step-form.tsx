import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import type { Question } from "../bundle/options/question.ts";
import { LivePreview } from "../files/live-preview";
import type { FormValues } from "./form-values";
import type { AllMachineNotes } from "./machine-notes";
import { QuestionFields } from "./question-fields";
import type { FormStepId } from "./steps";
import { useSavedChanges } from "./use-saved-changes";

/** The id of a step's form: buttons beside it carry what stands in it. */
export const wizardForm = "wizard";

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
  machines,
  proPrice,
  typed,
  base,
  warnings,
  outcome,
  readOnly,
  backToReview,
  changed,
  onChangesSaved,
  afterSaving,
}: {
  step: FormStepId;
  id: string;
  version: number;
  questions: readonly Question[];
  formValues: FormValues;
  /** What the machines of all providers are, where the step asks for one. */
  machines: AllMachineNotes | undefined;
  proPrice: string | undefined;
  /** What the deployment would be with all unsaved changes, and what is saved. */
  typed: DeploymentOptions | undefined;
  base: DeploymentOptions | undefined;
  warnings: Record<string, string>;
  outcome: StepProblems | undefined;
  readOnly: boolean;
  /** Whether a save leads back to the review, from which the user came to change one answer. */
  backToReview: boolean;
  /** The steps that have unsaved changes; `onChangesSaved` is called when that changes. */
  changed: readonly string[];
  onChangesSaved: (steps: readonly string[]) => void;
  /** Shown beside the buttons, where the user just pressed one. */
  afterSaving: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [live, setLive] = useState<Live>();
  const [{ provider, architecture }, setChosen] = useState(formValues);
  const machine = machines?.[`${provider} ${architecture}`] ?? machines?.[`${provider} amd64`];
  const busy = useNavigation().state !== "idle";
  const savedChanges = useSavedChanges(form, readOnly ? undefined : id, onChangesSaved);
  const warning = savedChanges === "failed" ? undefined : savedChanges?.warning;
  const { hash } = useLocation();
  useEffect(() => showField(form.current, decodeURIComponent(hash.slice(1))), [hash]);
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
    const found = checkStep(step, fields, typed ?? base ?? {});
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
      id={wizardForm}
      ref={form}
      method="post"
      noValidate
      preventScrollReset
      className="mt-8 grid gap-8"
      onChange={({ target }) => {
        const chosen = target instanceof HTMLInputElement && /radio|checkbox/.test(target.type);
        if (!chosen) return;
        void check(target.name);
        setChosen((values) => ({ ...values, [target.name]: target.value }));
      }}
      onBlur={({ target }) => {
        const written =
          (target instanceof HTMLInputElement && !/radio|checkbox/.test(target.type)) ||
          target instanceof HTMLTextAreaElement;
        if (written && target.value !== target.defaultValue) void check(target.name);
      }}
    >
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="version" value={version} />
      {backToReview ? <input type="hidden" name="back" value="review" /> : null}
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
          state={{
            formValues,
            errors,
            warnings: { ...(live?.warnings ?? warnings), ...(warning && { domain: warning }) },
            machine,
            proPrice,
          }}
        />
      </fieldset>
      {readOnly ? null : (
        <div className="flex flex-wrap gap-3 border-t border-line pt-6">
          <Button
            type="submit"
            name="then"
            value={backToReview ? "review" : "next"}
            disabled={busy}
          >
            {busy ? "Saving..." : backToReview ? "Save and go back" : "Save and continue"}
          </Button>
          {backToReview ? null : (
            <Button type="submit" name="then" value="stay" variant="secondary" disabled={busy}>
              Save
            </Button>
          )}
          <TextButton
            type="submit"
            name="leave"
            value="out"
            variant="standalone"
            className="px-3"
            disabled={busy}
          >
            Leave without saving
          </TextButton>
        </div>
      )}
      {readOnly ? null : (
        <div role="status" className="flex min-h-11 flex-wrap items-center gap-x-4 text-sm">
          {savedChanges !== "failed" ? null : (
            <span className="text-failure">
              What you typed cannot be kept right now. Save it before you leave.
            </span>
          )}
          {changed.length > 0 ? (
            <>
              <span>Unsaved changes, kept for you.</span>
              <TextButton type="submit" name="discard" value="all" disabled={busy}>
                Discard changes
              </TextButton>
            </>
          ) : null}
        </div>
      )}
      {afterSaving}
      {base ? (
        <LivePreview
          options={live?.options ?? typed ?? base}
          earlier={{ options: base, name: "what is saved" }}
        />
      ) : null}
    </Form>
  );
}

/** Brings a field into view with its folded part open, for a user who came to change this one answer. */
function showField(form: HTMLFormElement | null, name: string): void {
  const named = name && form?.elements.namedItem(name);
  const field = named instanceof RadioNodeList ? checkedOf(named) : named;
  if (!(field instanceof HTMLElement)) return;
  field.closest("details")?.setAttribute("open", "");
  field.focus();
  field.scrollIntoView({ block: "center" });
}

function checkedOf(choices: RadioNodeList): Node | undefined {
  const all = [...choices];
  return all.find((each) => each instanceof HTMLInputElement && each.checked) ?? all[0];
}

type Live = {
  errors: Record<string, string>;
  warnings: Record<string, string>;
  /** The options of the last check without errors. */
  options: DeploymentOptions | undefined;
  touched: ReadonlySet<string>;
};
