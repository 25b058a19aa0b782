import { useHref, useLocation } from "react-router";
import { Moment } from "~/ui/moment";
import { TextLink } from "~/ui/primitives/text-link";
import type { LiveState } from "./live-connection";

const words: Record<LiveState, string> = {
  connecting: "Connecting…",
  live: "Live",
  lost: "Not live: reconnecting…",
  off: "Not live: read again every 30 seconds",
};

/** Whether a page shows what is so now; without script how old it is, and the way to read it again. */
export function LiveLine({ state, readAt }: { state: LiveState; readAt: string }) {
  const { pathname, search } = useLocation();
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft print:block">
      <p
        role="status"
        className="flex min-h-6 items-center gap-x-2 not-scripted:hidden print:hidden"
      >
        <span
          aria-hidden="true"
          className={`size-2 rounded-full ${state === "live" ? "bg-signal" : "border border-line-strong"}`}
        />
        {words[state]}
      </p>
      <p>
        Last read <Moment at={readAt} />
      </p>
      <TextLink
        to={useHref(pathname + search)}
        reloadDocument
        className="min-h-6 scripted:hidden print:hidden"
      >
        Refresh
      </TextLink>
    </div>
  );
}
