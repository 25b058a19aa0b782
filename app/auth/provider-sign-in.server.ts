import { createCookie, redirect } from "react-router";
import type { Configuration } from "~/configuration/configuration.server";
import { describeError, log } from "~/observability/log.server";
import { impatientFetch } from "~/request/impatient-fetch.server";
import { nextPath } from "~/request/next-path";
import { tooOften, withinLimit } from "~/request/rate-limit.server";
import type { RequestContext } from "~/request/request-context";
import type { Provider } from "./providers";
import type { Session } from "./session.server";
import { signInUnavailable } from "./sign-in-problems";

/** Remembers where somebody was going while they are at their provider. */
const destination = createCookie("after-sign-in", {
  httpOnly: true,
  sameSite: "lax",
  path: "/auth",
  maxAge: 600,
});

export type ProviderStart =
  | { ok: true; response: Response }
  | { ok: false; status: 429 | 503; message: string };

/**
 * Sends the browser to the provider. The PKCE verifier stays behind in an HttpOnly cookie, so only
 * this browser can finish.
 */
export async function startProviderSignIn(
  request: Request,
  context: RequestContext,
  session: Session,
  provider: Provider,
  next: string,
): Promise<ProviderStart> {
  if (!(await withinLimit(context, "SIGN_IN_LIMIT", request))) {
    return { ok: false, status: 429, message: tooOften };
  }
  const { SITE_URL } = context.configuration;
  const { data, error } = await session.supabase.auth.signInWithOAuth({
    provider,
    options: { redirectTo: `${SITE_URL}/auth/callback`, skipBrowserRedirect: true },
  });
  const problem = error ?? (await authServerProblem(context.configuration));
  if (problem || !data.url) {
    log.error("Provider sign-in could not start", {
      requestId: context.requestId,
      ...describeError(problem),
    });
    return { ok: false, status: 503, message: signInUnavailable };
  }
  const cookie = await destination.serialize(next, { secure: SITE_URL.startsWith("https://") });
  return {
    ok: true,
    response: redirect(data.url, { status: 303, headers: { "set-cookie": cookie } }),
  };
}

/** Asked before a browser is sent there: a page of ours says more than one that does not load. */
async function authServerProblem(configuration: Configuration): Promise<unknown> {
  try {
    const { status, body } = await impatientFetch(`${configuration.SUPABASE_URL}/auth/v1/health`, {
      headers: { apikey: configuration.SUPABASE_PUBLISHABLE_KEY },
    });
    await body?.cancel();
    if (status >= 500) return new Error(`The auth server answered ${status}`);
  } catch (error) {
    return error;
  }
}

/** Where the person was going, and the header that forgets it. */
export async function readDestination(request: Request) {
  const stored: unknown = await destination.parse(request.headers.get("cookie"));
  return {
    next: nextPath(stored, "/dashboard"),
    forget: await destination.serialize("", { maxAge: 0 }),
  };
}
