import { type ActionFunctionArgs, createContext, type RouterContextProvider } from "react-router";
import type { Principal } from "~/auth/principal.server";

/** Why the guard does not allow what was posted. */
export type Refusal = {
  why: "signed-out" | "unavailable" | "unconfirmed" | "second-factor" | "too-often" | "not-recent";
  status: 401 | 403 | 429 | 503;
  /** A sentence for the person. */
  message: string;
  /** For the reasons `signed-out` and `second-factor`: the page that asks for it, and then leads back. */
  page?: string;
};

/** What the guard decided about one post. Guests, and whom a rule does not identify, are no principal. */
export type Decision =
  | { allowed: true; principal?: Principal }
  | { allowed: false; refusal: Refusal };

/** Without a default value: to read it where the guard decided nothing throws. */
const decisionContext = createContext<Decision>();

/** For the guard alone. */
export function setDecision(context: Readonly<RouterContextProvider>, decision: Decision): void {
  context.set(decisionContext, decision);
}

/**
 * The action of a route whose rules identify somebody. `allowed` does what was posted; it is called only
 * if the guard allowed it. Otherwise `refused` says so in the way of its page, and changes nothing.
 */
export function guarded<Args extends ActionFunctionArgs, Done, Refused>({
  allowed,
  refused,
}: {
  allowed: (args: Args) => Done;
  refused: (refusal: Refusal, args: Args) => Refused;
}): (args: Args) => Done | Refused {
  return (args) => {
    const decision = args.context.get(decisionContext);
    return decision.allowed ? allowed(args) : refused(decision.refusal, args);
  };
}

/** Who posted. Fails where the rule of the action identifies nobody, and for a guest. */
export function principalOf(context: Readonly<RouterContextProvider>): Principal {
  const principal = principalIfAny(context);
  if (!principal) throw new Error("Nobody was identified for this action");
  return principal;
}

/** The same where the rule lets guests act too: undefined for a guest. */
export function principalIfAny(context: Readonly<RouterContextProvider>): Principal | undefined {
  const decision = context.get(decisionContext);
  if (!decision.allowed) throw new Error("A refused action asked who posted");
  return decision.principal;
}
