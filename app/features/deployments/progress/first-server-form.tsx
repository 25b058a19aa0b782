import { type FormEvent, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import { SelectField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import { useDraft } from "../draft/use-draft";
import { DomainField } from "../page/domain-field";
import { useSavedChanges } from "../wizard/use-saved-changes";
import { usualMachine } from "../wizard/usual-machine";
import type { FirstServerChoices, FirstServerOutcome } from "./first-server.server";

/** The answers of the services page, by the name of the same choice here. */
const draftFields = { provider: "provider", region: "region", size: "instanceType" } as const;

/** Asks for what a deployment needs; everything else gets a good default. */
export function FirstServerForm({
  choices: { selects, machines, unsaved },
  outcome,
}: {
  choices: FirstServerChoices;
  outcome: FirstServerOutcome | undefined;
}) {
  const { state, formData } = useNavigation();
  const isCreating = formData?.get("intent") === "create" && !formData.has("leave");
  const form = useRef<HTMLFormElement>(null);
  const draft = useDraft();
  const savedChanges = useSavedChanges(form, "new");
  const { typed, errors, message } = outcome ?? {};
  const [picked, setPicked] = useState<Record<string, string>>({});
  const chosen = { ...usualMachine, ...fromDraft(), ...unsaved, ...typed, ...picked };
  const machine = machines?.[`${chosen.provider} amd64`];

  /** What the selects offer of what was chosen on the services page, which calls each choice by its label. */
  function fromDraft() {
    return Object.fromEntries(
      selects.flatMap(({ name, options }) => {
        const choice = options.find(({ label }) => label === draft[draftFields[name]]);
        return choice ? [[name, choice.value]] : [];
      }),
    );
  }
  function onChange({ target }: FormEvent) {
    if (target instanceof HTMLSelectElement) setPicked({ ...picked, [target.name]: target.value });
  }
  // What somebody has typed already stays.
  useEffect(() => {
    const input = form.current?.elements.namedItem("domain");
    if (input instanceof HTMLInputElement && input.value === "") input.value = draft.domain ?? "";
  }, [draft.domain]);

  return (
    <Form ref={form} method="post" noValidate className="mt-2" onChange={onChange}>
      <input type="hidden" name="intent" value="create" />
      <input type="hidden" name="draft" value={JSON.stringify(draft)} />
      {typed && message ? (
        <Message kind="failure" className="mb-5">
          {message}
        </Message>
      ) : null}
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        <DomainField
          hint="A name of yours that is not in use yet."
          warning={typeof savedChanges === "object" ? savedChanges.warning : undefined}
          placeholder="live.example.com"
          defaultValue={typed?.domain ?? unsaved.domain}
          error={errors?.domain}
        />
        {selects.map(({ name, label, options }) => {
          // Only script can say what was just chosen.
          const note = machine?.notes[`${name} ${chosen[name]}`];
          return (
            <SelectField
              // The browser's draft is known after the first render only: the choice is then filled in anew.
              key={`${name} ${draft[draftFields[name]]}`}
              name={name}
              label={label}
              options={options}
              defaultValue={chosen[name]}
              hint={note ? <span className="not-scripted:hidden">{note}</span> : undefined}
              error={errors?.[name]}
            />
          );
        })}
      </div>
      {machine?.prices ? (
        <p className="mt-3 text-sm text-ink-soft not-scripted:hidden">
          {machine.prices}{" "}
          <TextLink to={machine.page} target="_blank" rel="noreferrer">
            {machine.link} (opens in a new tab)
          </TextLink>
        </p>
      ) : null}
      <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button type="submit" disabled={state !== "idle"}>
          {isCreating ? "Creating..." : "Create with good defaults"}
        </Button>
        <TextButton type="submit" name="leave" value="all" variant="standalone">
          or go through all options
        </TextButton>
      </div>
      {savedChanges === "failed" ? (
        <p role="status" className="mt-3 text-sm text-failure">
          What you typed cannot be kept right now. Create the server before you leave.
        </p>
      ) : null}
    </Form>
  );
}
