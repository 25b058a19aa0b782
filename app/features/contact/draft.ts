import { type RefObject, useEffect } from "react";
import { tokenField } from "~/features/auth/challenge/token-field";
import { trapField } from "./trap";

/** Where this browser tab keeps a message that is not sent yet. It ends with the tab. */
const draftKey = "contact-draft";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Puts an unsent message back into the fields that are still empty, after a reload or a detour. */
export function useDraft(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft())) {
      const field = form.current?.elements.namedItem(name);
      if (isField(field) && field.value === "" && typeof value === "string") field.value = value;
    }
  }, [form]);
}

/** Keeps what the form holds now, where the browser allows it. */
export function keepDraft(form: HTMLFormElement): void {
  const draft = new FormData(form);
  draft.delete(trapField);
  draft.delete(tokenField);
  try {
    sessionStorage.setItem(draftKey, JSON.stringify(Object.fromEntries(draft)));
  } catch {
    // Storage may be forbidden or full: the message is then only in the form.
  }
}

/** Forgets the draft once its message is sent. */
export function dropDraft(): void {
  try {
    sessionStorage.removeItem(draftKey);
  } catch {
    // Where storage is forbidden there is no draft.
  }
}

function readDraft(): object {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(draftKey) ?? "{}");
    return typeof draft === "object" && draft !== null ? draft : {};
  } catch {
    return {};
  }
}

function isField(element: unknown): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}
