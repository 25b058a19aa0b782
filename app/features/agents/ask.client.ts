import { useCallback, useEffect, useRef, useState } from "react";
import type { OwnOutcome } from "./configuration/own-view";

const unreachable = "The site cannot be reached. Check your connection, then try again.";

/** Why an address of ours did not answer as it should; status 0 when it could not be reached. */
export type AskFailure = { status: number; message: string };

/** The last body that came, and why a later one did not; neither while the first is awaited. */
type Asked<Body> = { body?: Body; failure?: AskFailure };

/** Asks an address of ours, once. */
export async function ask<Body>(path: string): Promise<Asked<Body>> {
  try {
    const response = await fetch(path);
    if (response.ok) return { body: (await response.json()) as Body };
    const { error } = (await response.json()) as { error: string };
    return { failure: { status: response.status, message: error } };
  } catch {
    return { failure: { status: 0, message: unreachable } };
  }
}

/** Asks an address of ours, and again on `askAgain`, which answers whether that went well. */
export function useAsked<Body>(path: string): Asked<Body> & { askAgain: () => Promise<boolean> } {
  const [asked, setAsked] = useState<Asked<Body>>({});
  const newest = useRef(0);
  const askAgain = useCallback(async () => {
    newest.current++;
    const turn = newest.current;
    const answer = await ask<Body>(path);
    if (turn === newest.current) {
      setAsked((before) => (answer.failure ? { ...before, ...answer } : answer));
    }
    return !answer.failure;
  }, [path]);
  useEffect(() => {
    void askAgain();
  }, [askAgain]);
  return { ...asked, askAgain };
}

/** Posts a form of the page; a change that cannot be sent is an outcome too. */
export async function postOwn(form: FormData): Promise<OwnOutcome> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === "string") body.append(name, value);
  try {
    const response = await fetch("/openai-config/own", { method: "POST", body });
    return (await response.json()) as OwnOutcome;
  } catch {
    return { ok: false, status: 503, message: unreachable };
  }
}
