import type { FormEvent } from "react";
import { useFetcher } from "react-router";
import { type OwnOutcome, ownAddress } from "./configuration/own-view";

/** The submit of a form that changes what is the visitor's own, and how the newest submission ended. */
export function useOwnChange() {
  const { data, state, submit } = useFetcher<OwnOutcome>();
  const isSending = state === "submitting";
  return {
    outcome: isSending ? undefined : data,
    isSending,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      void submit(event.currentTarget, {
        method: "post",
        action: ownAddress,
        // Flushed at once: a second press finds the button disabled.
        flushSync: true,
        // The page around the form is the same for everybody: nothing of it changes.
        defaultShouldRevalidate: false,
      });
    },
  };
}

export type OwnChange = ReturnType<typeof useOwnChange>;
