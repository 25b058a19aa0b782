import { type ActionFunctionArgs, createContext, type RouterContextProvider } from "react-router";
import type { Principal } from "~/features/auth/session/principal.server";

/** Why the guard does not allow what was posted. */
export type GuardRefusal = {
  why:
    | "signed-out"
    | "unavailable"
    | "unconfirmed"
    | "second-factor"
    | "too-often"
    | "not-recent"
    | "not-allowed";
  status: 401 | 403 | 429 | 503;
  /** A sentence for the person. */
  message: string;
  /** The page that asks for the sign-in or the second factor and then leads back; only for those two reasons. */
  page?: string;
};

/** The guard's decision about one post. `principal` is undefined for guests, and where the rule identifies nobody. */
export type Decision =
  | { allowed: true; principal?: Principal }
  | { allowed: false; refusal: GuardRefusal };

/** It has no default value: reading it throws on a route for which the guard decided nothing. */
const decisionContext = createContext<Decision>();

/** Only the guard calls this. */
export function setDecision(context: Readonly<RouterContextProvider>, decision: Decision): void {
  context.set(decisionContext, decision);
}

/** The guard's refusal of this post; undefined when the guard allowed it. */
export function refusalOf(context: Readonly<RouterContextProvider>): GuardRefusal | undefined {
  const decision = context.get(decisionContext);
  return decision.allowed ? undefined : decision.refusal;
}

/** The two halves of an action: what it does with an allowed post, and how it answers a refused one. */
type Guarded<Args, Who, Done, Refused> = {
  allowed: (args: Args, principal: Who) => Done;
  refused: (refusal: GuardRefusal, args: Args) => Refused;
};

/**
 * Makes the action of a route whose rules all require a signed-in person. It calls `allowed` with that person when
 * the guard allowed the post. Otherwise it calls `refused`, which answers in the form that the page expects and must
 * change nothing.
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

/** Like `guarded`, for a route whose rules also allow guests, or identify nobody. `principal` is then undefined. */
export function guardedForVisitors<Args extends ActionFunctionArgs, Done, Refused>({
  allowed,
  refused,
}: Guarded<Args, Principal | undefined, Done, Refused>): (args: Args) => Done | Refused {
  return (args) => {
    const decision = args.context.get(decisionContext);
    return decision.allowed ? allowed(args, decision.principal) : refused(decision.refusal, args);
  };
}
