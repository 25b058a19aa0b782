import { signedInHint } from "./signed-in-hint";

const firstWaitMs = 200;
const longestWaitMs = 60_000;

/**
 * Keeps the session of a private page while somebody looks at it, and leaves for /signin when it is
 * over. The server has the word on both: this only asks it, in time, whenever the page is shown again
 * and whenever the hint changes, which a sign-out in any tab makes happen in all of them at once.
 * Hidden pages ask nothing. `askIn`: seconds. Answers how to stop.
 */
export function keepSession(askIn: number): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Date.now() + askIn * 1_000;
  let wait = firstWaitMs;
  let asking = false;

  const plan = () => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(ask, Math.max(0, dueAt - Date.now()));
  };

  async function ask(): Promise<void> {
    if (asking || document.hidden) return;
    asking = true;
    const next = await askServer(signal);
    asking = false;
    if (signal.aborted) return;
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
      document.body.hidden = false;
    }
    plan();
  }

  /** Without the hint there is probably no session: nothing private is shown until the server says. */
  const look = () => {
    document.body.hidden = !document.cookie.split("; ").includes(`${signedInHint}=1`);
    void ask();
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? plan() : look()), {
    signal,
  });
  // A page in the back-forward cache is put away blank: it may come back after a sign-out.
  addEventListener("pagehide", ({ persisted }) => (document.body.hidden ||= persisted), { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && look(), { signal });
  // Older browsers have no such store; their pages notice when they are shown or ask next.
  globalThis.cookieStore?.addEventListener("change", look, { signal });
  const stop = () => {
    clearTimeout(timer);
    stopped.abort();
  };
  // Who signs out here is on the way already, to where the server sends them: other tabs are not.
  const leave = ({ target }: SubmitEvent) => {
    if (target instanceof HTMLFormElement && new URL(target.action).pathname === "/signout") stop();
  };
  document.addEventListener("submit", leave, { signal });
  plan();
  return stop;
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
