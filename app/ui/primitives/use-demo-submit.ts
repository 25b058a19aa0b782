import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";

/** How long a demo takes to do nothing. */
const demoMs = 1_000;

export type DemoResult = { phase: "success" } | { phase: "failure"; message: string };

type Submission = { phase: "idle" } | { phase: "submitting" } | DemoResult;

/**
 * The submit of a form that only shows how the real one feels: nothing is sent. After a second
 * `finish` gets what was in the form and says how it ended. Leaving the screen calls it off.
 * Where the script is not there yet, or never comes, nothing can be submitted.
 */
export function useDemoSubmit(finish: (form: FormData) => DemoResult) {
  const [submission, setSubmission] = useState<Submission>({ phase: "idle" });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (submission.phase === "submitting") return;
    const form = new FormData(event.currentTarget);
    setSubmission({ phase: "submitting" });
    timer.current = setTimeout(() => setSubmission(finish(form)), demoMs);
  }

  const scripted = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  const canSubmit = scripted && submission.phase !== "submitting";
  return { submission, canSubmit, onSubmit };
}
