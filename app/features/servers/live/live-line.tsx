import { useHref, useLocation } from "react-router";
import { RecentMoment } from "~/ui/moment";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { LiveState } from "./live-connection.client";
import type { LivePage } from "./use-live";

const words: Record<LiveState, string> = {
  connecting: "Connecting…",
  live: "Live",
  lost: "Not live: reconnecting…",
  off: "Not live: read again every 30 seconds",
};

/** Whether a page shows what is so now; without script how old it is, and the way to read it again. */
export function LiveLine({
  live: { state, failedAt },
  readAt,
}: {
  live: LivePage;
  readAt: string;
}) {
  const { pathname, search } = useLocation();
  const isLive = state === "live" && failedAt === undefined;
  return (
    <div className={`py-1.5 ${failedAt ? "basis-full" : ""}`}>
      <div className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft print:block">
        <p
          role="status"
          className="flex min-h-6 items-center gap-x-2 not-scripted:hidden print:hidden"
        >
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${isLive ? "bg-signal" : "border border-line-strong"}`}
          />
          <span>{state === "live" && !isLive ? "Not live: trying again…" : words[state]}</span>
        </p>
        <p>
          Last read <RecentMoment at={readAt} />
        </p>
        <TextLink
          to={useHref(pathname + search)}
          reloadDocument
          className="min-h-6 scripted:hidden print:hidden"
        >
          Refresh
        </TextLink>
      </div>
      {failedAt ? (
        <Message kind="warning" className="mt-3">
          This page could not be refreshed since <RecentMoment at={failedAt} />. It shows what was
          read last, and tries again by itself.
        </Message>
      ) : null}
    </div>
  );
}
