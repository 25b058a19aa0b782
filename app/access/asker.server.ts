import { createContext, type RouterContextProvider } from "react-router";
import type { Principal } from "~/auth/principal.server";

/** Why the guard does not let somebody do what they posted. */
export type Refusal = {
  ok: false;
  why: "signed-out" | "unavailable" | "unconfirmed" | "second-factor" | "too-often" | "not-recent";
  status: 401 | 403 | 429 | 503;
  /** A sentence for the person. */
  message: string;
  /** The page that asks for what is missing and leads back. */
  page?: string;
};

/** Somebody whom the guard let through, by the auth server's own word. */
export type KnownAsker = { ok: true } & Principal;

/** Who posts, for the action: the person, or what to tell them instead of doing anything. */
export type Asker = KnownAsker | Refusal;

const askerContext = createContext<{ asker: Asker; heard: boolean } | null>(null);

/** What the guard found out, for the action that follows. */
export function setAsker(context: Readonly<RouterContextProvider>, asker: Asker): void {
  context.set(askerContext, { asker, heard: false });
}

/**
 * Who posts. Only the guard knows: an action whose rule identifies nobody fails here. To a `visitor`'s
 * action a guest is the refusal `signed-out`.
 */
export function askerOf(context: Readonly<RouterContextProvider>): Asker {
  const known = context.get(askerContext);
  if (!known) throw new Error("The rule of this action identifies nobody");
  known.heard = true;
  return known.asker;
}

/** Whether an action went on without looking whether it may. */
export function wentUnheard(context: Readonly<RouterContextProvider>): boolean {
  const known = context.get(askerContext);
  return known !== null && !known.asker.ok && !known.heard;
}
