import { useCallback, useState } from "react";
import { type useFetcher, useSearchParams } from "react-router";
import { usePageRestored } from "./use-page-restored";

/**
 * The state of the checkout dialog on /pricing. `begin` opens it and starts the checkout at once. The attempt has
 * an id, so that a request that is sent twice starts one checkout. `close` clears the selected plan, from the address
 * too. When somebody comes back from Stripe's page with the back button, the dialog closes, so that they see the prices
 * and not a spinner; the address then keeps the plan.
 */
export function useCheckoutAttempt(checkout: ReturnType<typeof useFetcher>) {
  const [attempt, setAttempt] = useState<string>();
  const [, setSearch] = useSearchParams();
  const { submit, reset } = checkout;

  const begin = useCallback(
    (plan: string) => {
      const id = crypto.randomUUID();
      setAttempt(id);
      // First: a later navigation would make the router drop the redirect to Stripe.
      setSearch({ plan }, { replace: true, preventScrollReset: true });
      void submit({ plan, attempt: id }, { method: "post", action: "/pricing" });
    },
    [submit, setSearch],
  );
  const end = useCallback(() => {
    setAttempt(undefined);
    reset();
  }, [reset]);

  const close = useCallback(() => {
    end();
    setSearch({}, { replace: true, preventScrollReset: true });
  }, [end, setSearch]);

  usePageRestored(end);

  return { attempt, begin, close };
}
