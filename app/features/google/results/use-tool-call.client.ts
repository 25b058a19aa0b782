import { useEffect, useEffectEvent } from "react";
import { useFetcher } from "react-router";
import type { FormValues } from "../questions/saved-draft.client";
import type { OperationResult } from "../tools/operation";
import type { OperationCall } from "./request-operation.client";

/**
 * Calls the operation of one tab by a fetcher. `outcome` is that of the newest call, undefined before it and
 * while `isBusy`. `onConsent` hears of an outcome that asks for connecting Google again. Success forgets `draft`.
 */
export function useToolCall(
  address: string,
  onConsent: () => void,
  draft?: OperationCall["draft"],
) {
  const { data, state, submit } = useFetcher<OperationResult>();
  const isBusy = state !== "idle";
  const outcome = isBusy ? undefined : data;
  const askForConsent = useEffectEvent(onConsent);
  useEffect(() => {
    if (outcome?.ok === false && outcome.consent) askForConsent();
  }, [outcome]);
  return {
    outcome,
    isBusy,
    call(formValues: FormValues) {
      const call: OperationCall = { address, formValues, draft };
      const options = {
        method: "post",
        // The client action of this page, which is loaded already.
        action: "/google-services",
        encType: "application/json",
        // Flushed at once: a second press finds the button disabled.
        flushSync: true,
        defaultShouldRevalidate: false,
      } as const;
      void submit(call, options);
    },
  };
}
