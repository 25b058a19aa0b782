import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useConsoleBase } from "~/ui/console/console-path";
import { keepChanges } from "./keep-changes.client";

/** What was answered to what was sent last. */
export type SavedChanges = {
  /** The steps that have unsaved changes. */
  steps: readonly string[];
  /** What is to be said of the typed domain. */
  warning?: string;
};

/**
 * Keeps with us what somebody types in a form while they type it. Answers what was said of it last, and "failed" once
 * something could not be kept.
 */
export function useSavedChanges(
  form: RefObject<HTMLFormElement | null>,
  /** The id of the deployment, or "new"; undefined where nothing may be changed. */
  id: string | undefined,
  onKept?: (steps: readonly string[]) => void,
): SavedChanges | "failed" | undefined {
  const [savedChanges, setKept] = useState<SavedChanges | "failed">();
  const answered = useEffectEvent((answer: unknown) => {
    const { steps, warning }: Record<string, unknown> = Object(answer);
    if (!Array.isArray(steps)) return setKept("failed");
    const names = steps.map(String);
    setKept({ steps: names, ...(typeof warning === "string" ? { warning } : {}) });
    onKept?.(names);
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
