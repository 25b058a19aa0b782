import { useEffect, useRef, useState } from "react";
import { type ShouldRevalidateFunctionArgs, useFetcher } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import type { CheckAnswer } from "./look-words";
import type { StepOutcome } from "./step-forms.server";
import type { StepsView } from "./steps-view.server";

/** After a refusal nobody asks for a minute, as long as our limits count. */
const pauseAfterRefusal = 60;

/**
 * The newest look at a deployment's records and server. While the page is visible and something is still to be seen it
 * looks again as soon as the server's answer allows. A look that somebody asks for with `Form` is shown here as well.
 * `first` is what a page without script was answered.
 */
export function useLook({ id, address, states }: StepsView, first: CheckAnswer | undefined) {
  const { submit, data, state, Form } = useFetcher<StepOutcome>();
  const [check, setLook] = useState(first);
  const dueAt = useRef(0);
  if (data?.look && data.look !== check) setLook(data.look);
  const base = useConsoleBase();
  const isWaiting = address !== undefined && !(states.dns.done && states.answer.done);

  // Each answer says when the next may be asked for. In no state, so that the effect below never runs with an older one.
  useEffect(() => {
    if (!data) return;
    dueAt.current = Date.now() + (data.look?.againIn ?? pauseAfterRefusal) * 1_000;
  }, [data]);

  useEffect(() => {
    if (!isWaiting || state !== "idle") return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") return;
      timer = setTimeout(
        () =>
          void submit({ intent: "look" }, { method: "post", action: `${base}/deployments/${id}` }),
        Math.max(0, dueAt.current - Date.now()),
      );
    };
    schedule();
    document.addEventListener("visibilitychange", schedule);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", schedule);
    };
  }, [isWaiting, state, base, id, submit]);

  return { check, isLooking: state !== "idle", isWaiting, message: data?.message, Form };
}

/** For a page with the steps: a look that changed nothing reads nothing again. */
export function revalidatesAfterLook({
  formData,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (formData?.get("intent") !== "look") return defaultShouldRevalidate;
  return Boolean((actionResult as StepOutcome | undefined)?.look?.hasTicked);
}
