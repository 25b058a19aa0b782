import {
  createContext,
  data,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { codePage, pageOf, signInPage } from "~/http/page-addresses";
import { identifyPrincipal, type Principal } from "../session/principal.server";
import { sessionContext, type Visitor } from "../session/session.server";
import { nothingReadable, signInUnavailable } from "../session/sign-in-problems";
import { refusalOf } from "./guarded-action.server";

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
  if (state === "signed-out") throw redirect(signInPage(page));
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
  const present = await identifyPrincipal(context.get(sessionContext));
  if (present.ok) return present.principal;
  throw present.status === 503 ? unavailable(nothingReadable) : redirect(signInPage(page));
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
