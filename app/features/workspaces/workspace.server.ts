import {
  createContext,
  data,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { consoleErrorWords } from "~/content/console";
import { refusalOf } from "~/features/auth/guard.server";
import { type AppContext, appContext } from "~/http/app-context";
import { signedCookie } from "~/http/cookies.server";
import { pageOf } from "~/http/page-addresses";
import type { Right } from "~/platform/database/role-rights";
import { consoleBase, noWorkspace, personalPages } from "~/ui/console/console-path";
import { myWorkspaces, type Workspace } from "./my-workspaces.server";
import { notAllowed, roleMay } from "./roles";

/** The workspace that a page shows, among all that the person has: the one that was open last comes first. */
export type OpenWorkspace = Workspace & { all: readonly Workspace[] };

/** The workspace that the address names; null while the database does not answer. */
export const workspaceContext = createContext<OpenWorkspace | null>(null);

/**
 * Finds the workspace that an address of the console names, for the pages below. One that the person is no member of is
 * 404, like one that is not there. Without a name in the address it is the personal one, while its person is alone
 * there; once that is shared, the page leads on to the same page there, by its name, and `/dashboard` itself to the workspace
 * that was open last.
 *
 * One that wants a second factor which was not given leads to the page that says so.
 *
 * A post is not led on: what was typed would be lost. Where the database does not answer nobody is stopped here, and
 * each page says what of it cannot be read.
 */
export const requireWorkspace: MiddlewareFunction<Response> = async (
  { request, params, context },
  next,
) => {
  const page = pageOf(request);
  if (personalPages.some((each) => each === page.split("?")[0])) return;
  const named = await workspaceAt(context, params.slug);
  if (named === undefined) throw data(noWorkspace, { status: 404 });
  if (named === null) return;
  const recent = await readRecent(request, context.get(appContext));
  const all = recent.first(named.all);
  const isHere = params.slug !== undefined || named.base === consoleBase(request.url);
  // A form that is posted without a name was open while the personal workspace needed none.
  const begins = page.split("?")[0] === "/dashboard" && request.method === "GET";
  const workspace = begins && !isHere ? lastOpen(all, named) : named;
  leadTo(workspace, request);
  if (workspace.isClosed) leadToClosedPage(workspace, request, context);
  context.set(workspaceContext, { ...workspace, all });
  const response = await next();
  const isNoted = all.length > 1 && !workspace.isClosed;
  const remember = isNoted ? await recent.remember(workspace) : undefined;
  if (remember) response.headers.append("set-cookie", remember);
  return response;
};

/**
 * The workspace that an address names by its slug; without one the personal workspace, or else the one that the person
 * joined first. Null while the database does not answer; undefined where they are no member.
 */
export async function workspaceAt(
  context: Readonly<RouterContextProvider>,
  slug?: string,
): Promise<OpenWorkspace | null | undefined> {
  const all = await myWorkspaces(context);
  if (!all) return null;
  const workspace = slug === undefined ? all[0] : all.find((each) => each.slug === slug);
  return workspace && { ...workspace, all };
}

/** The workspace to begin in, of some in their order: the first that is not closed to the person. */
function lastOpen<Found extends Workspace>(all: readonly Found[], otherwise: Found): Found {
  return all.find(({ isClosed }) => !isClosed) ?? all[0] ?? otherwise;
}

/** Lets only members whose role allows it read the routes below. Others get 403, with who may, in plain text. */
export function requireRight(right: Right): MiddlewareFunction<Response> {
  return async ({ context }, next) => {
    const workspace = context.get(workspaceContext);
    // Without one nothing below finds anything.
    if (!workspace || roleMay(workspace.role, right)) return next();
    return inPlainText(403, notAllowed(workspace.role, right));
  };
}

/** Like `requireWorkspace`, for downloads: a user who is no member gets the refusal in plain text. */
export const requireWorkspaceForDownload: MiddlewareFunction<Response> = async (args, next) => {
  if ((await workspaceAt(args.context, args.params.slug)) !== undefined) {
    return requireWorkspace(args, next);
  }
  return inPlainText(404, consoleErrorWords.gone.says);
};

function inPlainText(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "private, no-store" },
  });
}

/** Redirects the reading of a page to the same page of the workspace, if it is not there already. */
export function leadTo({ base }: Workspace, request: Request): void {
  const currentBase = consoleBase(request.url);
  if (request.method !== "GET" || currentBase === base) return;
  throw redirect(base + pageOf(request).slice(currentBase.length), 303);
}

/** A post that the guard refused is answered by its action. */
function leadToClosedPage(
  workspace: Workspace,
  request: Request,
  context: Readonly<RouterContextProvider>,
): void {
  const page = pageOf(request);
  const closed = closedPage(workspace, page);
  const isThere = page.split("?")[0] === closed.split("?")[0];
  if (isThere || (request.method !== "GET" && refusalOf(context))) return;
  throw redirect(closed, 303);
}

/**
 * For an address that names none: the workspace that somebody had open last, of those that are not closed to them. Null
 * while the database does not answer.
 */
export async function lastWorkspace(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<OpenWorkspace | null> {
  const first = await workspaceAt(context);
  if (!first) return null;
  const recent = await readRecent(request, context.get(appContext));
  const all = recent.first(first.all);
  return { ...lastOpen(all, first), all };
}

/** The user's workspace outside the console, where no address names one. */
export const firstWorkspace = async (context: Readonly<RouterContextProvider>) =>
  (await workspaceAt(context)) ?? null;

/** The workspace that the address of a page names; throws the answer that says so where it cannot be read. */
export function openWorkspace(context: Readonly<RouterContextProvider>): OpenWorkspace {
  const workspace = context.get(workspaceContext);
  if (workspace) return workspace;
  throw data("This workspace cannot be read right now. Please try again in a moment.", {
    status: 503,
  });
}

/** A cookie holds about 4 kB, and nobody remembers the order of more. */
const maxRemembered = 20;

/** Which workspaces somebody opened last in this browser, from a cookie with their slugs. */
async function readRecent(request: Request, { configuration }: AppContext) {
  const cookie = signedCookie(configuration, "recent-workspaces");
  const stored: unknown = await cookie.parse(request.headers.get("cookie"));
  const slugs = typeof stored === "string" ? stored.split(" ") : [];
  const placeOf = ({ slug }: Workspace) => {
    const place = slugs.indexOf(slug);
    return place < 0 ? slugs.length : place;
  };
  return {
    /** The same workspaces, the one that was open last first; those that never were keep their order. */
    first: (all: readonly Workspace[]) =>
      all.toSorted((one, other) => placeOf(one) - placeOf(other)),
    /** The Set-Cookie header that notes this one as the last; undefined where it is that already. */
    remember({ slug }: Workspace): Promise<string> | undefined {
      if (slugs[0] === slug) return;
      const others = slugs.filter((each) => each !== slug);
      return cookie.serialize([slug, ...others].slice(0, maxRemembered).join(" "));
    },
  };
}

/** The answer to a post in a workspace that is closed to the user for want of a second factor. */
export const workspaceClosed =
  "This workspace asks its members for a second factor. Set one up on your account page, then try again.";

/** Where somebody reads why a workspace is closed to them. From there they come back to `next`. */
export function closedPage({ base }: Pick<Workspace, "base">, next: string): string {
  return `${base}/second-factor?${new URLSearchParams({ next })}`;
}

/**
 * The workspace that `workspace` in the query names by its slug, for an address outside the console; without it the one
 * at /dashboard. Null while the database does not answer; undefined where the person is no member.
 */
export async function namedWorkspace(
  { url }: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Workspace | null | undefined> {
  const slug = new URL(url).searchParams.get("workspace");
  const all = await myWorkspaces(context);
  if (!all) return null;
  return slug === null ? all[0] : all.find((each) => each.slug === slug);
}

export const noSuchWorkspace = "There is no such workspace.";
