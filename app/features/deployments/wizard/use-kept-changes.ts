import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { keepChanges } from "./keep-changes.client";

/**
 * Keeps with us what somebody types in a form while they type it. `onKept` gets the steps that have unsaved changes.
 * Answers false once something could not be kept.
 */
export function useKeptChanges(
  form: RefObject<HTMLFormElement | null>,
  /** The id of the deployment, or "new"; undefined where nothing may be changed. */
  id: string | undefined,
  onKept?: (steps: readonly string[]) => void,
): boolean {
  const [isKept, setIsKept] = useState(true);
  const answered = useEffectEvent((answer: unknown) => {
    const steps: unknown = Reflect.get(Object(answer), "steps");
    setIsKept(Array.isArray(steps));
    if (Array.isArray(steps)) onKept?.(steps.map(String));
  });
  useEffect(() => {
    if (!form.current || id === undefined) return;
    return keepChanges(form.current, `/dashboard/deployments/${id}/unsaved`, (answer) =>
      answered(answer),
    );
  }, [form, id]);
  return isKept;
}
