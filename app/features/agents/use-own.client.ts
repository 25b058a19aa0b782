import { type FormEvent, useEffect, useState } from "react";
import { useFetcher } from "react-router";
import type { ReadFailure } from "~/http/read-failure";
import { type OwnOutcome, ownAddress } from "./configuration/own-view";

type Reader<Value> = {
  data: Value | ReadFailure | undefined;
  load: (address: string) => Promise<void>;
};

/**
 * Reads an address by a fetcher, at once and whenever the address changes; the router reads it again after
 * the changes that the address's `shouldRevalidate` names. `value` is the newest that was read, `failure`
 * why a later reading failed.
 */
export function useRead<Value extends object>({ data, load }: Reader<Value>, address: string) {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    void load(address);
  }, [load, address]);
  const failure = data && isFailure(data) ? data : undefined;
  if (data && !isFailure(data) && data !== value) setValue(data);
  return { value, failure, readAgain: () => void load(address) };
}

export function isFailure(answer: object): answer is ReadFailure {
  return "error" in answer;
}

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
