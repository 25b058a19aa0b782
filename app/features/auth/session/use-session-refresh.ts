import { useEffect } from "react";
import { carryThemeOver } from "~/ui/chrome/theme";

/** Keeps the session alive while this private page is shown. `askIn` is in seconds; undefined without a session. */
export function useSessionRefresh(askIn: number | undefined): void {
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

/** The auth client refreshes a token with less than 90 s left. A page asks when 75 s are left, so that it does. */
const marginSeconds = 75;
/** The shortest pause between two questions, however short tokens live. */
const leastSeconds = 15;
/** The longest pause: a visible page notices within this time that its session was ended elsewhere. */
const maxSeconds = 60;

/**
 * After how many seconds a page should ask the server about its session, which also refreshes a token that ends
 * soon. `expiresAt` is the end of the token in Unix seconds.
 */
export function secondsUntilRefresh(expiresAt: number): number {
  const left = expiresAt - Math.floor(Date.now() / 1000);
  return Math.min(maxSeconds, Math.max(leastSeconds, left - marginSeconds));
}
