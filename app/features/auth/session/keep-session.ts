import { hasSignedInHint } from "~/http/cookies";

const firstWaitMs = 200;
const maxWaitMs = 60_000;
/** For how long after a form was sent its answer may still be on its way. */
const formMs = 30_000;
/** How long this page waits to be left for the page that the answer to its form leads to. */
const leaveMs = 5_000;

/**
 * Keeps the session of a private page alive while the page is visible, and goes to /signin when the session is
 * over. It asks the server: after `askIn` seconds and then whenever the server says, each time the page becomes
 * visible, and each time the hint cookie changes, as it does in all tabs when one of them signs out. A hidden
 * page does not ask. `formSentAt` returns when this page last sent a form, in milliseconds; 0 for never. Returns
 * a function that stops all this.
 */
export function keepSession(askIn: number, formSentAt: () => number): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Date.now() + askIn * 1_000;
  let wait = firstWaitMs;
  const now = { asking: false, outdated: false };
  /**
   * "away": the page is in the back/forward cache. "back": it came back from there, and the server has not yet
   * confirmed the session.
   */
  let place: "here" | "away" | "back" = "here";
  const isAway = () => place === "away";

  const plan = () => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(ask, Math.max(0, dueAt - Date.now()));
  };

  async function ask(): Promise<void> {
    if (document.hidden || isAway()) return;
    now.outdated = now.asking;
    if (now.asking) return;
    now.asking = true;
    const next = await askServer(signal);
    now.asking = false;
    if (signal.aborted || isAway()) return;
    // Something changed while the question was under way, so the answer may be out of date.
    if (now.outdated) return ask();
    if (next === "over") {
      document.body.hidden = true;
      const { pathname, search } = location;
      location.replace(`/signin?${new URLSearchParams({ next: pathname + search })}`);
      return;
    }
    if (next === "no answer") {
      dueAt = Date.now() + wait;
      wait = Math.min(2 * wait, maxWaitMs);
    } else {
      dueAt = Date.now() + next * 1_000;
      wait = firstWaitMs;
      place = "here";
      document.body.hidden = false;
    }
    plan();
  }

  /** Hides the page while there is no hint cookie: the session is probably over until the server confirms it. */
  const blankWithoutHint = () => {
    document.body.hidden = place !== "here" || !hasSignedInHint();
  };

  const checkNow = () => {
    blankWithoutHint();
    void ask();
  };

  /** After this page's own form, such as a sign-out, the browser will leave it. So the question waits a little. */
  const checkUnlessLeaving = () => {
    if (Date.now() - formSentAt() > formMs) return checkNow();
    blankWithoutHint();
    dueAt = Math.min(dueAt, Date.now() + leaveMs);
    plan();
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? plan() : checkNow()), {
    signal,
  });
  // A page is hidden before it enters the back/forward cache, because it may come back after a sign-out.
  const move = (to: "away" | "back") => {
    place = to;
    checkNow();
  };
  addEventListener("pagehide", ({ persisted }) => persisted && move("away"), { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && move("back"), { signal });
  // Browsers without this API notice a sign-out when the page becomes visible or asks the next time.
  globalThis.cookieStore?.addEventListener("change", checkUnlessLeaving, { signal });
  plan();
  return () => {
    clearTimeout(timer);
    stopped.abort();
  };
}

/** Asks the server about the session. A number says after how many seconds to ask again. */
async function askServer(signal: AbortSignal): Promise<number | "over" | "no answer"> {
  try {
    const response = await fetch("/auth/refresh", { method: "POST", signal });
    if (response.status === 401) return "over";
    if (!response.ok) return "no answer";
    const { askAgainIn }: { askAgainIn: number } = await response.json();
    return askAgainIn;
  } catch {
    return "no answer";
  }
}
