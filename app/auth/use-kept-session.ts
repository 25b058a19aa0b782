import { useEffect } from "react";

/** Keeps the session while this private page is shown. `askIn`: seconds; undefined without a session. */
export function useKeptSession(askIn: number | undefined): void {
  useEffect(() => {
    if (askIn === undefined) return;
    let stop: (() => void) | undefined;
    let left = false;
    void import("./keep-session").then(({ keepSession }) => {
      if (!left) stop = keepSession(askIn);
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [askIn]);
}
