import { useLayoutEffect, useRef } from "react";
import { Button } from "~/components/button";
import { DemoNote } from "~/components/demo-note";
import { Dialog } from "~/components/dialog";
import { SelectField, TextField } from "~/components/fields";
import { Message } from "~/components/message";
import { useClose } from "~/components/use-close";
import { useDemoSubmit } from "~/components/use-demo-submit";
import { type DeploymentField, deploymentFields } from "~/content/deployment-fields";
import type { Service } from "~/content/services";
import { keepInDraft, parseDraft, storedDraft } from "./draft";

/** `Configure {service}`: its questions, with the answers that the browser has kept filled in. */
export default function ServiceDialog({ service }: { service: Service }) {
  const close = useClose("/services");
  const form = useRef<HTMLFormElement>(null);
  const { submission, canSubmit, onSubmit } = useDemoSubmit((answers) => {
    const given = service.fields.map((field) => [field, String(answers.get(field) ?? "")]);
    if (!keepInDraft(Object.fromEntries(given))) {
      return { phase: "failure", message: "Something went wrong. Please try again." };
    }
    close();
    return { phase: "success" };
  });
  const submitting = submission.phase === "submitting";
  useLayoutEffect(() => fillIn(form.current), []);

  return (
    <Dialog title={`Configure ${service.name}`} closeTo="/services" onClose={close}>
      <form ref={form} onSubmit={onSubmit} className="grid grid-cols-1 gap-5">
        {service.fields.map((field) => (
          <Question key={field} field={field} />
        ))}
        {submission.phase === "failure" ? (
          <Message kind="failure">{submission.message}</Message>
        ) : null}
        <Button type="submit" disabled={!canSubmit} className="w-full not-scripted:hidden">
          {submitting ? "Processing..." : "Configure Service"}
        </Button>
        <DemoNote>This is a demo: nothing is sent, your choices stay in this browser.</DemoNote>
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
