import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { LiveConnection, type LiveState } from "./live-connection.client";
import type { Live } from "./live-page.server";
import type { PageNotification } from "./protocol";
import { refreshData } from "./stale-data";

/** Of more servers than these, newer figures are read at most so often; a state that changed is read at once. */
const maxAtOnce = 20;
const figuresEveryMs = 10_000;

/** `failedAt`: when reading the page again began to fail, in ISO 8601; undefined where it succeeds. */
export type LivePage = { state: LiveState; failedAt: string | undefined };

/**
 * Keeps a page of servers up to date: it is read again when the fleet says that what it shows has changed. `live` is
 * undefined while the servers cannot be read. Its route has `keepStaleData` as a client middleware.
 */
export function useLive(live: Live | undefined, visible: readonly string[] | "all"): LivePage {
  const { revalidate } = useRevalidator();
  const [failedAt, setFailedAt] = useState<string>();
  const [state, setState] = useState<LiveState>("connecting");
  const [url, setUrl] = useState(live?.url);
  // A page that cannot be read for a moment keeps its socket.
  if (live && live.url !== url) setUrl(live.url);
  const ticket = live?.ticket;
  const connection = useRef<LiveConnection>(undefined);
  const pauseFor = useEffectEvent(
    ({ changed, reported, servers }: PageNotification): number | undefined => {
      const isVisible = (id: string) => visible === "all" || visible.includes(id);
      if (changed.some(isVisible)) return 0;
      if (!reported.some(isVisible)) return;
      return visible === "all" && servers > maxAtOnce ? figuresEveryMs : 0;
    },
  );
  const presentTicket = useEffectEvent(() => ticket);

  useEffect(() => {
    const made = new LiveConnection({
      url,
      ticket: presentTicket(),
      read: async () => {
        const isRead = navigator.onLine && (await refreshData(revalidate));
        setFailedAt((before) => (isRead ? undefined : (before ?? new Date().toISOString())));
        return isRead;
      },
      onState: setState,
      pauseFor,
    });
    connection.current = made;
    return () => made.end();
  }, [url, revalidate]);

  useEffect(() => {
    if (ticket) connection.current?.renew(ticket);
  }, [ticket]);
  return { state, failedAt };
}
