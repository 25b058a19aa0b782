import {
  type ActionFunctionArgs,
  createContext,
  data,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { appContext } from "~/http/app-context";
import { codePage, hasNoCookies, pageOf, signInPage } from "~/http/page-addresses";
import { type LimitName, withinLimit, withinLimitOf } from "~/http/rate-limit.server";
import {
  identifyPrincipal,
  type Principal,
  sessionContext,
  type Visitor,
} from "./session/session.server";
import { nothingReadable, signInUnavailable } from "./session/sign-in-problems";

/**
 * The signed-in person, from the verified token of their session. `expiresAt` is the end of the token in Unix
 * seconds.
 */
type User = { id: string; email: string | undefined; expiresAt: number };

/** It has no default value: reading it throws on a route that is open to anybody. */
export const userContext = createContext<User>();

const codePath = "/dashboard/account/code";

/**
 * Lets only signed-in people open the pages below, with their second factor if they have one. The page that asks for
 * the second factor is open to those who still owe it. When the auth server or its database does not answer, it
 * throws a 503, which the error boundary of the console shows.
 *
 * A post is not redirected, because the guard of actions has decided about it and its action answers. The 503 is
 * thrown for a post too if the answer would be a whole page around a refusal: nobody is identified for whom that page
 * could be rendered.
 */
export const requireUser: MiddlewareFunction<Response> = async ({ request, context }) => {
  const visitor = await context.get(sessionContext).visitor();
  if (request.method === "GET") leadAway(visitor, request);
  if (visitor.state === "unavailable" && isAnsweredByPage(request, context)) {
    throw unavailable(request.method === "GET" ? nothingReadable : signInUnavailable);
  }
  if ("userId" in visitor) {
    const { userId: id, email, expiresAt } = visitor;
    context.set(userContext, { id, email, expiresAt });
  }
};

/**
 * Like `requireUser`, for downloads. They work while the auth server is down: the database verifies the token itself
 * and lets it read only the person's own rows.
 */
export const requireUserForDownload: MiddlewareFunction<Response> = async ({
  request,
  context,
}) => {
  leadAway(await context.get(sessionContext).visitor(), request);
};

/** Redirects to the sign-in page, or to the page that asks for the second factor. */
function leadAway({ state }: Visitor, request: Request): void {
  const page = pageOf(request);
  if (state === "signed-out") {
    throw redirect(signInPage(page, hasNoCookies(request) ? "no-cookies" : undefined));
  }
  const givesCode = page.split("?")[0] === codePath;
  if (state === "second-factor-due" && !givesCode) throw redirect(codePage(page));
}

/**
 * The signed-in person as the auth server has just confirmed them, for loaders below `requireUser` that show or
 * change the account itself. Throws a 503 when the auth server does not answer, and otherwise a redirect to the
 * sign-in page, which leads back to `page`. This is no middleware, because after a post the loaders must read the
 * account after the action has changed it.
 */
export async function requireVerifiedUser(
  context: Readonly<RouterContextProvider>,
  page: string,
): Promise<Principal> {
  const current = await identifyPrincipal(context.get(sessionContext));
  if (current.ok) return current.principal;
  throw current.status === 503 ? unavailable(nothingReadable) : redirect(signInPage(page));
}

/**
 * Whether the answer is a page that loaders fill. A script's post (`.data`) gets the answer of the action alone, and
 * an allowed post is left to its action.
 */
function isAnsweredByPage(request: Request, context: Readonly<RouterContextProvider>): boolean {
  if (request.method === "GET") return true;
  return refusalOf(context) !== undefined && !new URL(request.url).pathname.endsWith(".data");
}

function unavailable(sentence: string) {
  return data(sentence, { status: 503 });
}

/**
 * A middleware that counts each GET of a route against `limit`: by network address and, if somebody is signed in, by
 * person. With a `purpose` a signed-in person is counted alone, apart from other uses of the limit. Above the limit
 * it answers `refuse()`.
 *
 * The method that was sent decides. The guard of actions counts a post, and here `request` is still the post while
 * loaders run around its answer, so it is not counted again. What a script reads after a post, and what a redirect
 * leads to, are requests of their own and count as reads. A HEAD arrives as a GET (workers/app.ts).
 */
export function rateLimit(
  limit: LimitName,
  refuse: () => Response,
  purpose?: string,
): MiddlewareFunction<Response> {
  return async ({ request, context }, next) => {
    if (request.method !== "GET") return next();
    const app = context.get(appContext);
    const visitor = await context.get(sessionContext).visitor();
    const person = "userId" in visitor ? visitor.userId : undefined;
    const isWithin =
      purpose && person
        ? await withinLimitOf(`${purpose}:${person}`, app, limit, request)
        : await withinLimit(app, limit, request, ...(person ? [`user:${person}`] : []));
    return isWithin ? next() : refuse();
  };
}

/** Why the guard does not allow what was posted. */
export type GuardRefusal = {
  why:
    | "signed-out"
    | "unavailable"
    | "unconfirmed"
    | "second-factor"
    | "too-often"
    | "not-recent"
    | "trial"
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
