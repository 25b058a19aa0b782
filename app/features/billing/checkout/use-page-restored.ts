import { useEffect, useEffectEvent } from "react";

/**
 * Calls `onReturn` when the browser restores this page from its back/forward cache. The page is then as it was
 * left, on the way to Stripe's checkout: with a spinner.
 */
export function usePageRestored(onReturn: () => void): void {
  const returned = useEffectEvent(onReturn);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && returned();
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
}
