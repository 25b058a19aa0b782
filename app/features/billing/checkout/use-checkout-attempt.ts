import { useCallback, useState } from "react";
import type { useFetcher } from "react-router";
import { useKeptPage } from "./use-kept-page";

/**
 * The life of one opened checkout dialog on /pricing. Opening starts the checkout at once; an attempt
 * keeps its id, so that a request sent twice starts one checkout. Coming back from the hosted page by
 * the back button shows the prices, not a spinner.
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
