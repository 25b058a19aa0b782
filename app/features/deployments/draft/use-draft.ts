import { useMemo, useSyncExternalStore } from "react";
import { type Draft, parseDraft, storedDraft, watchDraft } from "./draft";

/** The choices that this browser keeps. The server, and so the first render, knows of none. */
export function useDraft(): Draft {
  const stored = useSyncExternalStore(watchDraft, storedDraft, () => null);
  return useMemo(() => parseDraft(stored), [stored]);
}
