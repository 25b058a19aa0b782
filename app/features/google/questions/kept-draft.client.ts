import { useState } from "react";

/** What was typed into the form of a tab; kept in this browser window over a visit to Google. */
export type Draft = Readonly<Record<string, string>>;

const keyOf = (owner: string, place: string) => `google-tool ${owner} ${place}`;

/** What this window kept; nothing where it kept nothing, or what is kept is no JSON. */
export function readDraft(owner: string, place: string): Draft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner, place)) ?? "{}");
    const entries = Object.entries(typeof kept === "object" && kept !== null ? kept : {});
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

/** A browser that keeps nothing works all the same, without coming back to what was typed. */
export function keepDraft(owner: string, place: string, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(owner, place), JSON.stringify(draft));
  } catch {}
}

/** After a success: the next visit begins with an empty form. */
export function forgetDraft(owner: string, place: string): void {
  try {
    sessionStorage.removeItem(keyOf(owner, place));
  } catch {}
}

/** The same for views whose fields React holds: `change` keeps as it sets. */
export function useDraft(owner: string, place: string, initial: Draft) {
  const [draft, setDraft] = useState<Draft>(() => ({ ...initial, ...readDraft(owner, place) }));
  function change(changed: Draft) {
    const next = { ...draft, ...changed };
    setDraft(next);
    keepDraft(owner, place, next);
  }
  return [draft, change] as const;
}
