import { createContext, useContext } from "react";
import { useLocation } from "react-router";

/** The id of the request that a document answers; only the server knows it, while it renders. */
export const RequestIdContext = createContext<string | undefined>(undefined);

/**
 * The id that a failed request has in the log, for the customer to quote. In the browser
 * React leaves what the server has written, and a failure after a click on a link has no id here.
 */
export function RequestId() {
  const id = useContext(RequestIdContext);
  return (
    <p
      key={useLocation().key}
      suppressHydrationWarning
      className="mt-4 font-mono text-sm text-ink-soft"
    >
      {import.meta.env.SSR ? `Quote this id when you write to us: ${id}` : ""}
    </p>
  );
}
