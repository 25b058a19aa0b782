import { useState } from "react";

/** The values of a form by the names of its fields. */
export type FormValues = Readonly<Record<string, string>>;

/** A draft is kept for one customer and one form, such as "gmail send": the tool and the tab. */
const keyOf = (owner: string, form: string) => `google-tool ${owner} ${form}`;

/** The draft that this browser window keeps while its person is at Google; {} where there is none. */
export function readDraft(owner: string, form: string): FormValues {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner, form)) ?? "{}");
    const entries = Object.entries(typeof stored === "object" && stored !== null ? stored : {});
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

/** Where the browser refuses to store anything the form works too, but without a draft. */
export function keepDraft(owner: string, form: string, draft: FormValues): void {
  try {
    sessionStorage.setItem(keyOf(owner, form), JSON.stringify(draft));
  } catch {}
}

/** Called after a success, so that the next visit begins with an empty form. */
export function forgetDraft(owner: string, form: string): void {
  try {
    sessionStorage.removeItem(keyOf(owner, form));
  } catch {}
}

/**
 * A draft as React state, for controlled fields. `change` sets some of its values and keeps them all; `clear` empties
 * the fields once the draft is forgotten.
 */
export function useDraft(owner: string, form: string, initial: FormValues) {
  const [draft, setDraft] = useState<FormValues>(() => ({ ...initial, ...readDraft(owner, form) }));
  function change(changed: FormValues) {
    const next = { ...draft, ...changed };
    setDraft(next);
    keepDraft(owner, form, next);
  }
  const clear = () => setDraft(initial);
  return [draft, change, clear] as const;
}
