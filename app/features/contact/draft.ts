import { type RefObject, useEffect } from "react";
import { tokenField } from "~/features/auth/token-field";
import { trapField } from "./trap";

/** The key of the unsent message in `sessionStorage`, which the browser empties when the tab is closed. */
const draftKey = "contact-draft";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Puts an unsent message back into the fields that are empty, after a reload or another page. */
export function useDraft(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    for (const [name, value] of Object.entries(readDraft())) {
      const field = form.current?.elements.namedItem(name);
      if (isField(field) && field.value === "" && typeof value === "string") field.value = value;
    }
  }, [form]);
}

/** Stores what the form holds now, if the browser allows it. */
export function keepDraft(form: HTMLFormElement): void {
  const draft = new FormData(form);
  draft.delete(trapField);
  draft.delete(tokenField);
  try {
    sessionStorage.setItem(draftKey, JSON.stringify(Object.fromEntries(draft)));
  } catch {
    // Storage may be forbidden or full. Then the message is only in the form.
  }
}

/** Deletes the draft after its message was sent. */
export function dropDraft(): void {
  try {
    sessionStorage.removeItem(draftKey);
  } catch {
    // If storage is forbidden, there is no draft.
  }
}

/** Deletes the draft of a message that was stored, and leaves what was typed since then. */
export function dropDraftOf(stored: string): void {
  const draft = readDraft();
  const typed = "message" in draft && typeof draft.message === "string" ? draft.message : "";
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  if (plain(typed) === plain(stored)) dropDraft();
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
