import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { challengeWords as words } from "~/content/challenge";
import { Message } from "~/ui/primitives/message";

/** What a page needs to show a Turnstile challenge: the public key and the address of the script. */
export type Challenge = { siteKey: string; script: string };

/**
 * Cloudflare Turnstile for the form around it: it checks that the visitor is a person. Its script loads when the
 * form is first used. If somebody sends the form before the check is done, the form is sent once it is.
 */
export function ChallengeField({
  challenge,
  action,
  otherwise,
}: {
  challenge: Challenge | undefined;
  /** The name of the form. A token that was made for one form is refused at another. */
  action: string;
  /** A sentence on how to reach the goal without the challenge. */
  otherwise: string;
}) {
  return challenge ? (
    <>
      <Check
        key={challenge.siteKey + challenge.script}
        {...challenge}
        action={action}
        otherwise={otherwise}
      />
      <noscript>
        <p className="border-l-2 border-line-strong pl-4">
          {words.withoutScript} {otherwise}
        </p>
      </noscript>
    </>
  ) : null;
}

function Check({
  siteKey,
  script,
  action,
  otherwise,
}: Challenge & { action: string; otherwise: string }) {
  const box = useRef<HTMLDivElement>(null);
  const widget = useRef<Widget | undefined>(undefined);
  const [state, setState] = useState<"idle" | "checking" | "not loaded">("idle");

  useEffect(() => {
    const form = box.current?.closest("form");
    if (!form) return;
    let started = false;
    let submitter: HTMLElement | null = null;
    let waits = false;
    let gone = false;

    const failed = () => {
      // When the form is next used, the script is loaded again.
      started = false;
      widget.current?.remove();
      widget.current = undefined;
      waits = false;
      setState("not loaded");
    };
    const passed = () => {
      setState("idle");
      if (!waits) return;
      waits = false;
      form.requestSubmit(submitter);
    };
    async function show() {
      if (!box.current) return;
      const created = await showWidget(
        box.current,
        { siteKey, script, action },
        { passed, failed },
      );
      if (gone) created.remove();
      else widget.current = created;
    }
    const start = () => {
      if (started) return;
      started = true;
      show().catch(failed);
    };
    // A widget that appears while a button is being pressed would move the button away.
    const use = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLButtonElement)) start();
    };
    const send = (event: SubmitEvent) => {
      if (widget.current?.hasToken()) return;
      event.preventDefault();
      event.stopPropagation();
      submitter = event.submitter;
      waits = true;
      setState("checking");
      start();
    };
    form.addEventListener("focusin", use);
    form.addEventListener("submit", send, { capture: true });
    return () => {
      gone = true;
      form.removeEventListener("focusin", use);
      form.removeEventListener("submit", send, { capture: true });
      widget.current?.remove();
      widget.current = undefined;
    };
  }, [siteKey, script, action]);

  // After any form of the page was sent, a new token is made. An unused token may be dropped.
  const busy = useNavigation().state !== "idle";
  const wasBusy = useRef(busy);
  useEffect(() => {
    if (wasBusy.current && !busy) widget.current?.renew();
    wasBusy.current = busy;
  }, [busy]);

  return (
    <div>
      <div ref={box} />
      <p role="status" className="mt-1.5 text-sm text-ink-soft empty:mt-0">
        {state === "checking" ? words.checking : null}
      </p>
      {state === "not loaded" ? (
        <Message kind="failure">
          {words.notLoaded} {otherwise}
        </Message>
      ) : null}
    </div>
  );
}

/** The part of Turnstile's `api.js` that we use, typed after Cloudflare's reference. */
type Turnstile = {
  render(
    container: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      theme: "light" | "dark";
      size: "flexible" | "compact";
      callback(): void;
      "error-callback"(code: string): boolean;
    },
  ): string | undefined;
  reset(widget: string): void;
  remove(widget: string): void;
  getResponse(widget: string): string | undefined;
};

/** The smallest width in pixels for Turnstile's flexible widget. */
const flexibleWidth = 300;

let loading: Promise<Turnstile> | undefined;

/** Loads the script once. After a failure the next call tries again. */
function loadTurnstile(src: string): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", () => {
      const { turnstile } = window as { turnstile?: Turnstile };
      if (turnstile) resolve(turnstile);
      else reject(new Error("Turnstile's script did not do its work"));
    });
    script.addEventListener("error", () => reject(new Error("Turnstile's script did not load")));
    script.async = true;
    script.src = src;
    document.head.appendChild(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

type Widget = {
  hasToken(): boolean;
  /** Makes a new token: each is valid once, so after a form was sent the next one needs another. */
  renew(): void;
  remove(): void;
};

/** Shows the widget in an element. The widget adds a hidden field with the token to the form around it. */
async function showWidget(
  box: HTMLElement,
  { siteKey, script, action }: { siteKey: string; script: string; action: string },
  callbacks: { passed(): void; failed(): void },
): Promise<Widget> {
  const turnstile = await loadTurnstile(script);
  const id = turnstile.render(box, {
    sitekey: siteKey,
    action,
    theme: document.documentElement.classList.contains("dark") ? "dark" : "light",
    size: box.clientWidth < flexibleWidth ? "compact" : "flexible",
    callback: callbacks.passed,
    "error-callback": () => {
      callbacks.failed();
      // True means that the error is handled, so that Turnstile does not log it too.
      return true;
    },
  });
  if (!id) throw new Error("Turnstile's widget was not shown");
  return {
    hasToken: () => Boolean(turnstile.getResponse(id)),
    renew: () => turnstile.reset(id),
    remove: () => turnstile.remove(id),
  };
}
