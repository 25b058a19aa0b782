import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useConsoleBase } from "~/ui/console/console-path";
import { keepChanges } from "./keep-changes.client";

/** What was answered to what was sent last. */
export type SavedChanges = {
  /** The steps that have unsaved changes. */
  steps: readonly string[];
  /** The warning about the typed domain. */
  warning?: string;
};

/**
 * Saves what a user types in a form while they type it. Returns the last answer of the server, and "failed" once
 * something could not be saved.
 */
export function useSavedChanges(
  form: RefObject<HTMLFormElement | null>,
  /** The id of the deployment, or "new"; undefined where nothing may be changed. */
  id: string | undefined,
  onChangesSaved?: (steps: readonly string[]) => void,
): SavedChanges | "failed" | undefined {
  const [savedChanges, setSavedChanges] = useState<SavedChanges | "failed">();
  const answered = useEffectEvent((answer: unknown) => {
    const { steps, warning }: Record<string, unknown> = Object(answer);
    if (!Array.isArray(steps)) return setSavedChanges("failed");
    const names = steps.map(String);
    setSavedChanges({ steps: names, ...(typeof warning === "string" ? { warning } : {}) });
    onChangesSaved?.(names);
  });
  const base = useConsoleBase();
  useEffect(() => {
    if (!form.current || id === undefined) return;
    return keepChanges(form.current, `${base}/deployments/${id}/unsaved`, (answer) =>
      answered(answer),
    );
  }, [form, base, id]);
  return savedChanges;
}
