import { createCookie, redirect } from "react-router";
import { signInFailures } from "~/content/sign-in-labels";
import { describeError, log } from "~/observability/log.server";
import { impatientFetch } from "~/request/impatient-fetch.server";
import { nextPath } from "~/request/next-path";
import { tooOften, withinLimit } from "~/request/rate-limit.server";
import type { RequestContext } from "~/request/request-context";
import { type Provider, providerFacts } from "./providers";
import type { Session } from "./session.server";

/** Remembers where somebody was going while they are at their provider. */
const destination = createCookie("after-sign-in", {
  httpOnly: true,
  sameSite: "lax",
  path: "/auth",
  maxAge: 600,
});

export type ProviderStart =
  | { ok: true; response: Response }
  | { ok: false; status: 400 | 429 | 503; message: string };

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
  const { SITE_URL, SIGN_IN_PROVIDERS } = context.configuration;
  if (provider !== "google" && !SIGN_IN_PROVIDERS.includes(provider)) {
    return { ok: false, status: 400, message: signInFailures.notOffered };
  }
  const { supabaseName = provider, scopes } = providerFacts[provider];
  const { data, error } = await session.supabase.auth.signInWithOAuth({
    provider: supabaseName,
    options: {
      redirectTo: `${SITE_URL}/auth/callback`,
      skipBrowserRedirect: true,
      ...(scopes ? { scopes } : {}),
    },
  });
  const page = data.url
    ? await providerPage(data.url, context.requestId)
    : { failed: 503 as const };
  if (error || "failed" in page) {
    const status = "failed" in page ? page.failed : 503;
    const message = status === 400 ? signInFailures.notOffered : signInFailures.unavailable;
    log.error("Provider sign-in could not start", {
      requestId: context.requestId,
      provider,
      ...describeError(error),
    });
    return { ok: false, status, message };
  }
  const cookie = await destination.serialize(next, { secure: SITE_URL.startsWith("https://") });
  return {
    ok: true,
    response: redirect(page.url, { status: 303, headers: { "set-cookie": cookie } }),
  };
}

/**
 * Where the auth server would send the browser. Asked for here, so that a provider that is switched
 * off there, or a server that is down, is a sentence on our page and not a bare error on theirs.
 */
async function providerPage(
  authorizeUrl: string,
  requestId: string,
): Promise<{ url: string } | { failed: 400 | 503 }> {
  try {
    const response = await impatientFetch(authorizeUrl, { redirect: "manual" });
    const url = URL.parse(response.headers.get("location") ?? "", authorizeUrl);
    if (response.status >= 300 && response.status < 400 && url) return { url: url.href };
    return { failed: response.status >= 500 ? 503 : 400 };
  } catch (error) {
    log.error("The auth server did not answer", { requestId, ...describeError(error) });
    return { failed: 503 };
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
