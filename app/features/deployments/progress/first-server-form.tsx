import { type FormEvent, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { keepInDraft } from "../draft/draft";
import { useDraft } from "../draft/use-draft";
import type { FirstServerChoices, FirstServerOutcome } from "./first-server.server";

const usual = { provider: "aws", region: "us-east", size: "medium" } as const;

/** Asks for what a deployment needs; everything else gets a good default. */
export function FirstServerForm({
  choices: { selects, machines },
  outcome,
}: {
  choices: FirstServerChoices;
  outcome: FirstServerOutcome | undefined;
}) {
  const busy = useNavigation().state !== "idle";
  const draft = useDraft();
  const { typed, errors, message } = outcome ?? {};
  const [chosen, setChosen] = useState({ ...usual, ...typed });
  const machine = machines?.[`${chosen.provider} amd64`];

  function note({ target }: FormEvent) {
    if (target instanceof HTMLSelectElement) setChosen({ ...chosen, [target.name]: target.value });
    // Whoever goes through all options instead finds the domain there.
    else if (target instanceof HTMLInputElement) keepInDraft({ domain: target.value });
  }

  return (
    <Form method="post" noValidate className="mt-2" onChange={note}>
      <input type="hidden" name="intent" value="create" />
      <input type="hidden" name="draft" value={JSON.stringify(draft)} />
      {typed && message ? (
        <Message kind="failure" className="mb-5">
          {message}
        </Message>
      ) : null}
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
        <TextField
          name="domain"
          label="Domain"
          hint="A name of yours that is not in use yet."
          placeholder="live.example.com"
          defaultValue={typed?.domain}
          error={errors?.domain}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {selects.map(({ name, label, options }) => {
          // Only script can say what was just chosen.
          const note = machine?.notes[`${name} ${chosen[name]}`];
          return (
            <SelectField
              key={name}
              name={name}
              label={label}
              options={options}
              defaultValue={typed?.[name] ?? usual[name]}
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
        <Button type="submit" disabled={busy}>
          {busy ? "Creating..." : "Create with good defaults"}
        </Button>
        <TextLink to="/dashboard/deployments/new" variant="standalone">
          or go through all options
        </TextLink>
      </div>
    </Form>
  );
}
