import { hasSignedInHint } from "~/http/cookies/signed-in-hint";

const firstWaitMs = 200;
const longestWaitMs = 60_000;
/** Longer than the server takes to answer a form. */
const formMs = 30_000;
/** As long as a page whose form was answered is left to go where the answer leads. */
const leaveMs = 5_000;

/**
 * Keeps the session of a private page while somebody looks at it, and leaves for /signin when it is
 * over. The server has the word on both: this only asks it, in time, whenever the page is shown again
 * and whenever the hint changes, which a sign-out in any tab makes happen in all of them at once.
 * Hidden pages ask nothing. `askIn`: seconds. `formSentAt`: when this page last sent a form, ever since
 * it was opened, as milliseconds. Answers how to stop.
 */
export function keepSession(askIn: number, formSentAt: () => number): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Date.now() + askIn * 1_000;
  let wait = firstWaitMs;
  const now = { asking: false, outdated: false };
  /** "back": out of the back-forward cache, and the server has not said yet that the session lives. */
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
    // What changed since may have come too late for this answer.
    if (now.outdated) return ask();
    if (next === "over") {
      document.body.hidden = true;
      const { pathname, search } = location;
      location.replace(`/signin?${new URLSearchParams({ next: pathname + search })}`);
      return;
    }
    if (next === "no answer") {
      dueAt = Date.now() + wait;
      wait = Math.min(2 * wait, longestWaitMs);
    } else {
      dueAt = Date.now() + next * 1_000;
      wait = firstWaitMs;
      place = "here";
      document.body.hidden = false;
    }
    plan();
  }

  /** Without the hint there is probably no session: nothing private is shown until the server says. */
  const blankWithoutHint = () => {
    document.body.hidden = place !== "here" || !hasSignedInHint();
  };

  const look = () => {
    blankWithoutHint();
    void ask();
  };

  /** A page that signs out itself goes where the server sends it, and asks only if it is still there. */
  const lookUnlessLeaving = () => {
    if (Date.now() - formSentAt() > formMs) return look();
    blankWithoutHint();
    dueAt = Math.min(dueAt, Date.now() + leaveMs);
    plan();
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? plan() : look()), {
    signal,
  });
  // A page in the back-forward cache is put away blank: it may come back after a sign-out.
  const move = (to: "away" | "back") => {
    place = to;
    look();
  };
  addEventListener("pagehide", ({ persisted }) => persisted && move("away"), { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && move("back"), { signal });
  // Older browsers have no such store; their pages notice when they are shown or ask next.
  globalThis.cookieStore?.addEventListener("change", lookUnlessLeaving, { signal });
  plan();
  return () => {
    clearTimeout(timer);
    stopped.abort();
  };
}

/** In how many seconds to ask again. */
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
