import { useEffect } from "react";
import { useRevalidator } from "react-router";

/** Reads the page again so often, in milliseconds, while somebody may look at it. Zero for never. */
export function useFresh(everyMs: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (everyMs === 0) return;
    const read = () => {
      if (document.visibilityState === "visible") void revalidate();
    };
    const timer = setInterval(read, everyMs);
    document.addEventListener("visibilitychange", read);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", read);
    };
  }, [everyMs, revalidate]);
}
