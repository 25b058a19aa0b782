import { type RefObject, useEffect, useRef } from "react";
import { useNavigation } from "react-router";

/**
 * Whoever pressed a button that is gone, or was disabled meanwhile, has the focus nowhere. It then goes to the first field
 * below `root` that is wrong, or to what is marked `data-outcome`: what came of the post.
 */
export function useFocusAfterPost(root: RefObject<HTMLElement | null>): void {
  const { state, formMethod } = useNavigation();
  const hasPosted = useRef(false);
  useEffect(() => {
    if (state !== "idle") {
      hasPosted.current ||= formMethod === "POST";
      return;
    }
    if (!hasPosted.current) return;
    hasPosted.current = false;
    if (document.activeElement !== document.body) return;
    const wrong = root.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    (wrong ?? root.current?.querySelector<HTMLElement>("[data-outcome]"))?.focus();
  }, [state, formMethod, root]);
}
