import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";

/** The state of a link that opens a dialog which has an address. */
export const openedHere = { openedHere: true };

/**
 * Closes a dialog that has an address: goes back to the page that it was opened on, or, when the
 * dialog's address itself was opened, on to `path`. Call it in the dialog, so that it closes once.
 */
export function useClose(path: string): () => void {
  const navigate = useNavigate();
  const location = useLocation();
  const closed = useRef(false);
  return () => {
    if (closed.current) return;
    closed.current = true;
    if (wasOpenedHere(location.state)) void navigate(-1);
    else void navigate(path, { replace: true, preventScrollReset: true });
  };
}

function wasOpenedHere(state: unknown): boolean {
  return typeof state === "object" && state !== null && "openedHere" in state;
}
