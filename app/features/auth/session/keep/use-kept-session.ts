import { useEffect } from "react";
import { carryThemeOver } from "~/ui/chrome/theme";

/** Keeps the session alive while this private page is shown. `askIn` is in seconds; undefined without a session. */
export function useKeptSession(askIn: number | undefined): void {
  useEffect(() => {
    // Only a browser runs effects; saying so keeps the module below out of the Worker.
    if (import.meta.env.SSR || askIn === undefined) return;
    let stop: (() => void) | undefined;
    let left = false;
    // Noted from the start, because a form may be sent before the module below has loaded. 0 for never.
    let formSentAt = 0;
    const remember = () => {
      formSentAt = Date.now();
      carryThemeOver();
    };
    addEventListener("submit", remember);
    void import("./keep-session").then(({ keepSession }) => {
      if (!left) stop = keepSession(askIn, () => formSentAt);
    });
    return () => {
      left = true;
      removeEventListener("submit", remember);
      stop?.();
    };
  }, [askIn]);
}
