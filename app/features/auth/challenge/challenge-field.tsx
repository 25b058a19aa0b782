import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { challengeWords as words } from "~/content/challenge";
import { Message } from "~/ui/primitives/message";
import { showWidget, type Widget } from "./turnstile";

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
      const shown = await showWidget(box.current, { siteKey, script, action }, { passed, failed });
      if (gone) shown.remove();
      else widget.current = shown;
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
