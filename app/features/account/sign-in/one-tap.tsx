import { useEffect, useId } from "react";
import { useFetcher } from "react-router";
import { Message } from "~/ui/primitives/message";
import type { SignInOutcome } from "./views";

/** What a page needs to show Google One Tap: its client, the address of its script, and the hash of the nonce. */
export type OneTapPrompt = { clientId: string; script: string; nonce: string };

/** The part of Google Identity Services that is used here. */
type GoogleIdentity = {
  initialize(options: {
    client_id: string;
    nonce: string;
    callback: (answer: { credential: string }) => void;
    auto_select: false;
    cancel_on_tap_outside: true;
    context: "signup";
    prompt_parent_id: string;
    use_fedcm_for_prompt: true;
  }): void;
  prompt(): void;
  cancel(): void;
};

declare global {
  interface Window {
    google?: { accounts: { id: GoogleIdentity } };
  }
}

/**
 * Google One Tap beside the page: offers the Google accounts of this browser, once the page is drawn and nothing else is
 * to be done. It signs nobody in without a press, covers nothing, and is left out where there is no room for it. Without
 * script, or when Google does not answer, nothing is missing: the page has a button that leads to Google.
 */
export function OneTap({ prompt, next }: { prompt: OneTapPrompt; next: string }) {
  const { submit, data } = useFetcher<SignInOutcome>();
  const place = useId();
  const { clientId, script, nonce } = prompt;

  useEffect(() => {
    if (!isAllowedHere() || !window.matchMedia("(min-width: 80rem)").matches) return;
    let gone = false;
    const stopWaiting = whenIdle(async () => {
      if (!(await loadOnce(script)) || gone) return;
      window.google?.accounts.id.initialize({
        client_id: clientId,
        nonce,
        callback: ({ credential }) =>
          submit({ intent: "one_tap", credential, next }, { method: "post", action: "/signin" }),
        auto_select: false,
        cancel_on_tap_outside: true,
        context: "signup",
        prompt_parent_id: place,
        use_fedcm_for_prompt: true,
      });
      window.google?.accounts.id.prompt();
    });
    return () => {
      gone = true;
      stopWaiting();
      window.google?.accounts.id.cancel();
    };
  }, [clientId, script, nonce, next, place, submit]);

  return (
    <div className="fixed top-20 right-6 hidden w-[400px] justify-items-end xl:grid">
      {data?.state === "failed" ? <Message kind="failure">{data.message}</Message> : null}
      <div id={place} />
    </div>
  );
}

/**
 * The content policy of a document is that of the page it was loaded for: only the sign-up page's lets Google's script in.
 * Somebody who came here from another page of ours is in that page's document.
 */
function isAllowedHere(): boolean {
  const [document] = performance.getEntriesByType("navigation");
  return document !== undefined && new URL(document.name).pathname === location.pathname;
}

/** Calls `work` when the page is loaded and the browser has nothing else to do. Returns what calls it off. */
function whenIdle(work: () => void): () => void {
  let timer: number | undefined;
  const wait = () => {
    timer = window.setTimeout(() => {
      if ("requestIdleCallback" in window) window.requestIdleCallback(work);
      else work();
    }, 1_000);
  };
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
  return () => {
    removeEventListener("load", wait);
    clearTimeout(timer);
  };
}

let loading: Promise<boolean> | undefined;

/** Whether Google's script is there. When it does not load, a later page tries again. */
function loadOnce(source: string): Promise<boolean> {
  loading ??= new Promise((resolve) => {
    const element = document.createElement("script");
    element.src = source;
    element.async = true;
    element.addEventListener("load", () => resolve(true));
    element.addEventListener("error", () => {
      loading = undefined;
      element.remove();
      resolve(false);
    });
    document.head.appendChild(element);
  });
  return loading;
}
