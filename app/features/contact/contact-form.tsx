import { type RefObject, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { challengeWords } from "~/content/challenge";
import { contactLimits, contactTopics } from "~/content/contact";
import { wholeNumber } from "~/content/whole-number";
import { type Challenge, ChallengeField } from "~/features/auth/challenge-field";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextAreaField, TextField } from "~/ui/primitives/fields";
import { keepDraft, useDraft } from "./draft";
import type { MessageErrors, MessageValues } from "./message-form.server";
import { trapField } from "./trap";

const { name, email, message } = contactLimits;

/** The contact form, with what was typed and what is wrong with it. It works without JavaScript. */
export function ContactForm({
  values,
  errors = {},
  challenge,
}: {
  values: Partial<MessageValues>;
  errors?: MessageErrors | undefined;
  challenge: Challenge | undefined;
}) {
  const busy = useNavigation().state === "submitting";
  const form = useRef<HTMLFormElement>(null);
  useDraft(form);
  useFocusOnFirstError(form, errors);
  const first = Object.keys(errors)[0];
  return (
    <Form
      ref={form}
      method="post"
      action="/contact"
      noValidate
      onInput={(event) => keepDraft(event.currentTarget)}
      className="relative grid gap-6"
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        required
        defaultValue={values.name}
        hint={`Up to ${name} characters.`}
        error={errors.name}
        autoFocus={first === "name"}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={values.email}
        hint={`We answer to this address. Up to ${email} characters.`}
        error={errors.email}
        autoFocus={first === "email"}
      />
      <SelectField
        label="Topic"
        name="topic"
        required
        options={contactTopics}
        blank="Choose a topic"
        defaultValue={values.topic}
        error={errors.topic}
        autoFocus={first === "topic"}
      />
      <TextAreaField
        label="Message"
        name="message"
        rows={8}
        required
        defaultValue={values.message}
        hint={`${message.minLength} to ${wholeNumber(message.maxLength)} characters.`}
        error={errors.message}
        autoFocus={first === "message"}
      />
      <div inert aria-hidden="true" className="absolute size-px overflow-hidden opacity-0">
        <label>
          Leave this empty
          <input type="text" name={trapField} tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <ChallengeField
        challenge={challenge}
        action="contact"
        otherwise={challengeWords.contactOtherwise}
      />
      <div>
        <Button type="submit" disabled={busy} className="w-full sm:w-auto">
          {busy ? "Sending..." : "Send message"}
        </Button>
      </div>
    </Form>
  );
}

/** Moves the focus to the first field with an error. Without JavaScript `autofocus` does this. */
function useFocusOnFirstError(form: RefObject<HTMLFormElement | null>, errors: MessageErrors) {
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, errors]);
}
