import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useFetcher, useNavigate } from "react-router";
import { type DeploymentField, deploymentFields } from "~/content/deployment-fields";
import type { Service } from "~/content/services";
import { Button } from "~/ui/primitives/button";
import { DemoNote } from "~/ui/primitives/demo-note";
import { Dialog } from "~/ui/primitives/dialog";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { useClose } from "~/ui/primitives/use-close";
import { useDemoSubmit } from "~/ui/primitives/use-demo-submit";
import { keepInDraft, parseDraft, storedDraft } from "./draft";
import type { SavedAnswers } from "./save-answers.server";

/** `Configure {service}`: its questions, with the answers that the browser has kept filled in. */
export default function ServiceDialog({
  service,
  onConfigured,
}: {
  service: Service;
  /** Called with the number of choices when the demo closes. */
  onConfigured: (choices: number) => void;
}) {
  const close = useClose("/services");
  const form = useRef<HTMLFormElement>(null);
  const { submission, canSubmit, onSubmit } = useDemoSubmit((answers) => {
    const given = service.fields.map((field) => [field, String(answers.get(field) ?? "")]);
    if (!keepInDraft(Object.fromEntries(given))) {
      return { phase: "failure", message: "Something went wrong. Please try again." };
    }
    onConfigured(given.filter(([, answer]) => answer).length);
    close();
    return { phase: "success" };
  });
  const real = useFetcher<SavedAnswers>();
  const navigate = useNavigate();
  const answered = real.state === "idle" ? real.data : undefined;
  const submitting = submission.phase === "submitting" || real.state !== "idle";

  /** The hint only chooses what to try: the server knows who is signed in. */
  function submit(event: FormEvent<HTMLFormElement>) {
    if (!document.documentElement.classList.contains("signed-in")) return onSubmit(event);
    event.preventDefault();
    if (real.state === "idle") void real.submit(event.currentTarget, { method: "post" });
  }
  const goOn = useEffectEvent(() => {
    if (answered?.kind !== "begin" && answered?.kind !== "demo") return;
    const given = [...new FormData(form.current ?? undefined)].map(([field, answer]) => [
      field,
      String(answer),
    ]);
    keepInDraft(Object.fromEntries(given));
    if (answered.kind === "demo") close();
    else void navigate(`${answered.base}/deployments/new`);
  });
  useEffect(() => {
    if (answered) goOn();
  }, [answered]);
  useLayoutEffect(() => fillIn(form.current), []);

  return (
    <Dialog title={`Configure ${service.name}`} closeTo="/services" onClose={close}>
      <form ref={form} onSubmit={submit} action="/services" className="grid grid-cols-1 gap-5">
        {service.fields.map((field) => (
          <Question key={field} field={field} />
        ))}
        {submission.phase === "failure" ? (
          <Message kind="failure">{submission.message}</Message>
        ) : null}
        {answered?.kind === "refused" ? <Message kind="failure">{answered.message}</Message> : null}
        {answered?.kind === "saved" ? (
          <Message kind="success">
            <span>{`Saved into ${answered.name}${answered.workspace ? ` of ${answered.workspace}` : ""}. `}</span>
            <TextLink to={`${answered.base}/deployments/${answered.id}`}>Open it</TextLink>
          </Message>
        ) : null}
        <Button
          type="submit"
          disabled={!canSubmit || submitting}
          className="w-full not-scripted:hidden"
        >
          {submitting ? "Processing..." : "Configure Service"}
        </Button>
        <div className="signed-in:hidden">
          <DemoNote>This is a demo: nothing is sent, your choices stay in this browser.</DemoNote>
        </div>
        <p className="text-sm text-ink-soft signed-out:hidden">
          Saved into the deployment that you last worked on; without one, a new one begins.
        </p>
      </form>
    </Dialog>
  );
}

function Question({ field }: { field: DeploymentField }) {
  const question = deploymentFields[field];
  if ("options" in question) {
    return (
      <SelectField
        name={field}
        label={question.label}
        options={question.options}
        blank="Select an option"
      />
    );
  }
  return (
    <TextField
      name={field}
      label={question.label}
      type={question.type}
      placeholder={"placeholder" in question ? question.placeholder : undefined}
      autoComplete={question.type === "email" ? "email" : "off"}
      spellCheck={false}
      autoCapitalize="none"
    />
  );
}

/** Only what is still empty is filled: somebody may have typed before the script was there. */
function fillIn(form: HTMLFormElement | null) {
  for (const [name, answer] of Object.entries(parseDraft(storedDraft()))) {
    const element = form?.elements.namedItem(name);
    const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
    if (isField && element.value === "" && answer) element.value = answer;
  }
}
