import { useCallback, useEffect, useRef, useState } from "react";
import type { OwnOutcome } from "./own-view";

const unreachable = "The site cannot be reached. Check your connection, then try again.";

/** What came of asking one of our JSON addresses. */
export type Asked<Body> =
  | { state: "waiting" }
  | { state: "there"; body: Body }
  | { state: "failed"; status: number; message: string };

async function ask<Body>(path: string): Promise<Asked<Body>> {
  try {
    const response = await fetch(path);
    if (response.ok) return { state: "there", body: (await response.json()) as Body };
    const { error } = (await response.json()) as { error: string };
    return { state: "failed", status: response.status, message: error };
  } catch {
    return { state: "failed", status: 0, message: unreachable };
  }
}

/** Asks an address of ours, and again on `askAgain`; what was there stays until the answer comes. */
export function useAsked<Body>(path: string): {
  asked: Asked<Body>;
  askAgain: () => Promise<void>;
} {
  const [asked, setAsked] = useState<Asked<Body>>({ state: "waiting" });
  const newest = useRef(0);
  const askAgain = useCallback(async () => {
    newest.current++;
    const turn = newest.current;
    const answer = await ask<Body>(path);
    if (turn === newest.current) setAsked(answer);
  }, [path]);
  useEffect(() => {
    void askAgain();
  }, [askAgain]);
  return { asked, askAgain };
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
