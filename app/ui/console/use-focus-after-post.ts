import { type RefObject, useEffect, useRef } from "react";
import { useNavigation } from "react-router";

/**
 * When the button that was pressed is gone, or was disabled meanwhile, nothing has the focus. It then goes to the first
 * field below `root` that is wrong, or to what is marked `data-outcome`: what came of the post.
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
