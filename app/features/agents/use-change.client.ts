import { type FormEvent, useRef, useState } from "react";
import { postOwn } from "./ask.client";
import type { OwnOutcome } from "./configuration/own-view";

/** The submit of a signed-in form: sends it once at a time, and keeps how it ended. */
export function useChange(
  onDone: (outcome: Extract<OwnOutcome, { ok: true }>) => void,
  onRefused?: (outcome: Extract<OwnOutcome, { ok: false }>) => void,
) {
  const [outcome, setOutcome] = useState<OwnOutcome>();
  const [sending, setSending] = useState(false);
  const isSending = useRef(false);

  async function submit(form: HTMLFormElement) {
    if (isSending.current) return;
    isSending.current = true;
    setSending(true);
    setOutcome(undefined);
    const answer = await postOwn(new FormData(form));
    isSending.current = false;
    setSending(false);
    setOutcome(answer);
    if (answer.ok) onDone(answer);
    else onRefused?.(answer);
  }

  return {
    outcome,
    sending,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}
