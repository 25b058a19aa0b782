import { createCookie, redirect } from "react-router";
import * as z from "zod/mini";
import { signInFailures } from "~/content/sign-in-labels";
import type { Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { removalOf, siteCookies } from "~/http/cookies";
import { nextPath } from "~/http/page-addresses";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import { authServerFetch } from "~/platform/auth-server/auth-server-fetch.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { type Provider, providerFacts } from "~/platform/env/providers";
import { describeError, log } from "~/platform/log/log.server";

/** A cookie with the path to go to after signing in at a provider. */
const destination = createCookie("after-sign-in", {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  maxAge: siteCookies["after-sign-in"],
});

export type ProviderStart =
  | { ok: true; response: Response }
  | { ok: false; status: 400 | 429 | 503; message: string };

/**
 * Redirects the browser to the provider. The PKCE verifier stays in an HttpOnly cookie, so only this browser can
 * finish the sign-in.
 */
export async function startProviderSignIn(
  request: Request,
  context: AppContext,
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
  const refusal = error ? 503 : await providerRefusal(context, supabaseName);
  if (refusal || !data.url) {
    log.error("Provider sign-in could not start", {
      provider,
      ...describeError(error),
    });
    return refusal === 400
      ? { ok: false, status: 400, message: signInFailures.notOffered }
      : { ok: false, status: 503, message: signInFailures.unavailable };
  }
  const cookie = await rememberDestination(context.configuration, next);
  return {
    ok: true,
    response: redirect(data.url, { status: 303, headers: { "set-cookie": cookie } }),
  };
}

/** The Set-Cookie header with the path to go to after the sign-in. */
export function rememberDestination(
  { SITE_URL }: Pick<Configuration, "SITE_URL">,
  next: string,
): Promise<string> {
  return destination.serialize(next, { secure: SITE_URL.startsWith("https://") });
}

const authServerSettings = z.object({ external: z.record(z.string(), z.boolean()) });

/**
 * Asks the auth server whether it offers a provider, before the browser is sent there: its own error page would not
 * lead back to us. 400 if it does not, 503 if it does not answer; undefined if it does.
 */
export async function providerRefusal(
  context: AppContext,
  supabaseName: string,
): Promise<400 | 503 | undefined> {
  const { configuration } = context;
  try {
    const ask = authServerFetch(context);
    const response = await ask(`${configuration.SUPABASE_URL}/auth/v1/settings`);
    const { external } = authServerSettings.parse(await response.json());
    return external[supabaseName] ? undefined : 400;
  } catch (error) {
    log.error("The auth server did not answer", describeError(error));
    return 503;
  }
}

/** The path to go to after the sign-in, and the Set-Cookie header that removes its cookie. */
export async function readDestination(request: Request) {
  const stored: unknown = await destination.parse(request.headers.get("cookie"));
  return {
    next: nextPath(stored, "/dashboard"),
    forget: removalOf("after-sign-in"),
  };
}
