import { useCallback, useState } from "react";
import type { useFetcher } from "react-router";
import { useKeptPage } from "./use-kept-page";

/**
 * The state of the checkout dialog on /pricing. `begin` opens it and starts the checkout at once. The attempt has
 * an id, so that a request that is sent twice starts one checkout. When somebody comes back from Stripe's page
 * with the back button, the dialog closes, so that they see the prices and not a spinner.
 */
export function useCheckoutAttempt(checkout: ReturnType<typeof useFetcher>) {
  const [attempt, setAttempt] = useState<string>();
  const { submit, reset } = checkout;

  const begin = useCallback(
    (plan: string) => {
      const id = crypto.randomUUID();
      setAttempt(id);
      void submit({ plan, attempt: id }, { method: "post", action: "/pricing" });
    },
    [submit],
  );
  const end = useCallback(() => {
    setAttempt(undefined);
    reset();
  }, [reset]);

  useKeptPage(end);

  return { attempt, begin, end };
}
