import { useEffect, useEffectEvent } from "react";

/**
 * Calls `onReturn` when somebody comes back by the back button and the browser shows the page as they
 * left it: on the way to the hosted checkout, with a spinner.
 */
export function useKeptPage(onReturn: () => void): void {
  const returned = useEffectEvent(onReturn);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && returned();
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
}
