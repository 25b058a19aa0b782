import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { contactLimits, contactTopics } from "~/content/contact";
import { wholeNumber } from "~/content/whole-number";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextAreaField } from "~/ui/primitives/fields";
import { dropDraftOf, keepDraft, useDraft } from "../draft";
import type { SupportErrors, SupportValues } from "./send-support-message.server";

const { minLength, maxLength } = contactLimits.message;

/** A message to support from the console. It works without JavaScript. */
export function SupportForm({
  deployments,
  values,
  errors = {},
  stored,
}: {
  deployments: readonly { id: string; name: string; version: number }[];
  values: SupportValues;
  errors?: SupportErrors | undefined;
  /** The text of the message that was just sent. */
  stored: string | undefined;
}) {
  const busy = useNavigation().state === "submitting";
  const form = useRef<HTMLFormElement>(null);
  // First, so that the draft of what was just sent does not come back.
  useEffect(() => {
    if (stored !== undefined) dropDraftOf(stored);
  }, [stored]);
  useDraft(form);
  useEffect(() => {
    const [first] = Object.keys(errors);
    const field = first && form.current?.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  }, [errors]);
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      preventScrollReset
      onInput={(event) => keepDraft(event.currentTarget)}
      className="grid gap-6"
    >
      <SelectField
        label="Topic"
        name="topic"
        options={contactTopics}
        defaultValue={values.topic}
        error={errors.topic}
      />
      {deployments.length > 0 ? (
        <SelectField
          label="About a deployment"
          name="deployment"
          options={deployments.map(({ id, name, version }) => ({
            value: id,
            label: `${name}, v${version}`,
          }))}
          blank="None"
          defaultValue={values.deployment}
          error={errors.deployment}
          hint="We then see its choices, and no secrets: we have none."
        />
      ) : null}
      <TextAreaField
        label="Message"
        name="message"
        rows={8}
        required
        defaultValue={values.message}
        error={errors.message}
        hint={`${minLength} to ${wholeNumber(maxLength)} characters. Leave out passwords and API secrets.`}
      />
      <div>
        <Button type="submit" disabled={busy}>
          {busy ? "Sending..." : "Send message"}
        </Button>
      </div>
    </Form>
  );
}
