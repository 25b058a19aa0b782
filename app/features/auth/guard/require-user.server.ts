import {
  createContext,
  data,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { identifyPrincipal, type Principal } from "../session/principal.server";
import { sessionContext, type Visitor } from "../session/session.server";
import { signInUnavailable } from "../session/sign-in-problems";
import { refusalOf } from "./guarded-action.server";
import { codePage, pageOf, signInPage } from "./page-addresses";

/** Who reads, by the signed claims of a session that is there. `expiresAt`: see `Visitor`. */
type User = { id: string; expiresAt: number };

/** Without a default value: to read it on a route that lets anybody in throws. */
export const userContext = createContext<User>();

const codePath = "/dashboard/account/code";

/**
 * Only somebody who is signed in, with the second factor where there is one, reads the pages below; on the
 * page that takes the second factor it may be due. Without an answer of the auth server or its database the
 * error boundary of the console says so. A post was decided by the guard of actions before: nobody is led
 * away from it, and its action answers. Only where a whole page would be drawn around a refusal, for somebody
 * who cannot be identified, the error boundary takes its place.
 */
export const requireUser: MiddlewareFunction<Response> = async ({ request, context }) => {
  const visitor = await context.get(sessionContext).visitor();
  if (request.method === "GET") leadAway(visitor, request);
  if (visitor.state === "unavailable" && isAnsweredByPage(request, context)) throw unavailable();
  if ("userId" in visitor) {
    context.set(userContext, { id: visitor.userId, expiresAt: visitor.expiresAt });
  }
};

/**
 * The same for downloads, which go on while sign-in is not available: the database itself lets the token of
 * a session read its own rows alone.
 */
export const requireUserForDownload: MiddlewareFunction<Response> = async ({
  request,
  context,
}) => {
  leadAway(await context.get(sessionContext).visitor(), request);
};

/** To the page that signs in, or that takes the second factor. */
function leadAway({ state }: Visitor, request: Request): void {
  const page = pageOf(request);
  if (state === "signed-out") throw redirect(signInPage(page));
  const givesCode = page.split("?")[0] === codePath;
  if (state === "second-factor-due" && !givesCode) throw redirect(codePage(page));
}

/**
 * The user as the auth server has them now, for loaders of pages below `requireUser` that show or change
 * the account itself. They ask by themselves and not before their route, because around the answer to a
 * post they show what it changed.
 */
export async function requireVerifiedUser(
  context: Readonly<RouterContextProvider>,
  page: string,
): Promise<Principal> {
  const present = await identifyPrincipal(context.get(sessionContext));
  if (present.ok) return present.principal;
  throw present.status === 503 ? unavailable() : redirect(signInPage(page));
}

/** Whether loaders run for this request: not around an action that answers a script, or was allowed. */
function isAnsweredByPage(request: Request, context: Readonly<RouterContextProvider>): boolean {
  if (request.method === "GET") return true;
  return refusalOf(context) !== undefined && !new URL(request.url).pathname.endsWith(".data");
}

function unavailable() {
  return data(signInUnavailable, { status: 503 });
}
