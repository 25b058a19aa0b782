import { type RefObject, useEffect, useRef } from "react";
import { useNavigationType } from "react-router";

/**
 * A page that another one of the console leads to, and each further `step` of it, begins at its heading, which a screen
 * reader then reads out. Where the address names a field, that leads there.
 */
export function useHeadingFocus(heading: RefObject<HTMLElement | null>, step = ""): void {
  const arrival = useNavigationType();
  const shown = useRef(arrival === "POP" ? step : undefined);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (window.location.hash) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [heading, step]);
}
