import { type ActionFunctionArgs, createContext, type RouterContextProvider } from "react-router";
import type { Principal } from "~/features/auth/session/principal.server";

/** Why the guard does not allow what was posted. */
export type GuardRefusal = {
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
  | { allowed: false; refusal: GuardRefusal };

/** Without a default value: to read it where the guard decided nothing throws. */
const decisionContext = createContext<Decision>();

/** For the guard alone. */
export function setDecision(context: Readonly<RouterContextProvider>, decision: Decision): void {
  context.set(decisionContext, decision);
}

/** Why the guard does not allow what was posted; undefined where it does. */
export function refusalOf(context: Readonly<RouterContextProvider>): GuardRefusal | undefined {
  const decision = context.get(decisionContext);
  return decision.allowed ? undefined : decision.refusal;
}

/** What an action is made of; `allowed` is told who posted. */
type Guarded<Args, Who, Done, Refused> = {
  allowed: (args: Args, principal: Who) => Done;
  refused: (refusal: GuardRefusal, args: Args) => Refused;
};

/**
 * The action of a route all of whose rules ask for a person. `allowed` does what was posted; it is called
 * only if the guard allowed it. Otherwise `refused` says so in the way of its page, and changes nothing.
 */
export function guarded<Args extends ActionFunctionArgs, Done, Refused>({
  allowed,
  refused,
}: Guarded<Args, Principal, Done, Refused>): (args: Args) => Done | Refused {
  return guardedForVisitors({
    refused,
    allowed(args: Args, principal) {
      if (!principal) throw new Error("Nobody was identified for this action");
      return allowed(args, principal);
    },
  });
}

/** The same where a rule lets guests act too, or identifies nobody: for them there is no principal. */
export function guardedForVisitors<Args extends ActionFunctionArgs, Done, Refused>({
  allowed,
  refused,
}: Guarded<Args, Principal | undefined, Done, Refused>): (args: Args) => Done | Refused {
  return (args) => {
    const decision = args.context.get(decisionContext);
    return decision.allowed ? allowed(args, decision.principal) : refused(decision.refusal, args);
  };
}
