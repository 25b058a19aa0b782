import { useEffect } from "react";
import { createPath, useNavigation } from "react-router";

/**
 * After a deploy the files of a page that was not visited yet are gone. React Router then loads the open page anew,
 * and the visitor would have to press the link again: this goes on to the page that they asked for. What a form sent
 * is left alone, since its page says what became of it.
 */
export function useStepAfterDeploy(): void {
  const { location, formMethod = "GET" } = useNavigation();
  const next = location && formMethod === "GET" ? createPath(location) : undefined;
  useEffect(() => {
    // Browsers without the Navigation API stay on the page.
    if (!next || !("navigation" in window)) return;
    const listening = new AbortController();
    window.navigation.addEventListener(
      "navigate",
      (event) => {
        if (event.navigationType !== "reload" || !event.cancelable) return;
        event.preventDefault();
        window.location.assign(next);
      },
      listening,
    );
    return () => listening.abort();
  }, [next]);
}
