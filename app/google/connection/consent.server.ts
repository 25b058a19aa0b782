import type { User } from "@supabase/supabase-js";
import * as z from "zod/mini";
import type { Session } from "~/auth/session.server";
import { describeError, log } from "~/observability/log.server";
import { toBase64url } from "~/request/base64url";
import { impatientFetch } from "~/request/impatient-fetch.server";
import type { RequestContext } from "~/request/request-context";
import { sealedCookie } from "~/request/sealed-cookie.server";
import type { ConsentProblem } from "./connection-view";
import { keepConnection } from "./google-connection.server";
import { fullScope, tokenFacts } from "./token-facts.server";

const shape = z.object({
  verifier: z.string(),
  userId: z.string(),
  tool: z.string(),
  tab: z.string(),
});

/** Remembers what was asked for while somebody is at Google. */
function consentCookie(context: RequestContext) {
  return sealedCookie(context, { name: "google-consent", path: "/google-services", shape });
}

const returnPath = "/google-services/connected";
const secondsAtGoogle = 600;

export type ConsentStart =
  | { ok: true; url: string; cookie: string }
  | { ok: false; reason: "unavailable" | "no-google-identity" };

/**
 * Where to send somebody to give Google's permissions. A PKCE flow of its own beside the sign-in:
 * the session that Supabase makes at its end is closed at once, and theirs stays as it is. Whoever
 * has no Google identity is given none here: a new sign-in takes the proofs of the account page.
 */
export async function startConsent(
  context: RequestContext,
  account: User,
  wanted: { tool: string; tab: string; scopes: readonly string[] },
): Promise<ConsentStart> {
  const google = account.identities?.find(({ provider }) => provider === "google");
  if (!google) return { ok: false, reason: "no-google-identity" };
  const { configuration } = context;
  const verifier = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const hint: unknown = google.identity_data?.email ?? account.email;
  const parameters = new URLSearchParams({
    provider: "google",
    redirect_to: configuration.SITE_URL + returnPath,
    scopes: wanted.scopes.map(fullScope).join(" "),
    code_challenge: toBase64url(new Uint8Array(digest)),
    code_challenge_method: "s256",
    include_granted_scopes: "true",
    ...(typeof hint === "string" && { login_hint: hint }),
  });
  try {
    const { tool, tab } = wanted;
    const kept = { verifier, userId: account.id, tool, tab };
    return {
      ok: true,
      url: `${configuration.SUPABASE_URL}/auth/v1/authorize?${parameters}`,
      cookie: await consentCookie(context).keep(kept, secondsAtGoogle),
    };
  } catch (error) {
    log.error("Google's permissions could not be asked for", {
      requestId: context.requestId,
      ...describeError(error),
    });
    return { ok: false, reason: "unavailable" };
  }
}

export type ConsentEnd = {
  /** The tab that was open. */
  tool: string;
  tab: string;
  cookies: string[];
  problem?: ConsentProblem;
};

const exchanged = z.object({
  access_token: z.string(),
  user: z.object({ id: z.string() }),
  provider_token: z.optional(z.string()),
});

/** The way back from Google: makes the connection when it is this person who gave it. */
export async function finishConsent(
  context: RequestContext,
  request: Request,
  session: Session,
): Promise<ConsentEnd> {
  const cookie = consentCookie(context);
  const asked = await cookie.read(request);
  const { tool = "", tab = "" } = asked ?? {};
  const forget = cookie.forget();
  const end = (problem: ConsentProblem) => ({ tool, tab, cookies: [forget], problem });
  const query = new URL(request.url).searchParams;
  if (query.has("error") || query.has("error_code")) {
    const code = query.get("error_code");
    return end(query.get("error") === "access_denied" && !code ? "cancelled" : "unavailable");
  }
  const code = query.get("code");
  if (!asked || !code) return end("expired");
  try {
    const tokens = await exchange(context, code, asked.verifier);
    if (!tokens) return end("expired");
    const visitor = await session.visitor();
    if (visitor.state === "unavailable") return end("unavailable");
    const isSame =
      visitor.state === "signed-in" &&
      visitor.userId === asked.userId &&
      tokens.user.id === asked.userId;
    if (!isSame) return end("other-account");
    if (!tokens.provider_token) return end("unavailable");
    const { scopes, seconds, email } = await tokenFacts(
      context.configuration,
      tokens.provider_token,
    );
    const connection = { token: tokens.provider_token, scopes, userId: asked.userId, email };
    return { tool, tab, cookies: [forget, await keepConnection(context, connection, seconds)] };
  } catch (error) {
    log.error("Google's permissions were not taken over", {
      requestId: context.requestId,
      ...describeError(error),
    });
    return end("unavailable");
  }
}

/** The tokens for a code, whose own session is closed at once; undefined for a code that is over. */
async function exchange(
  { configuration, waitUntil }: RequestContext,
  code: string,
  verifier: string,
) {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: apikey } = configuration;
  const response = await impatientFetch(`${SUPABASE_URL}/auth/v1/token?grant_type=pkce`, {
    method: "POST",
    headers: { apikey, "content-type": "application/json" },
    body: JSON.stringify({ auth_code: code, code_verifier: verifier }),
  });
  if (response.status >= 500 || response.status === 429)
    throw new Error(`The auth server answered ${response.status}`);
  if (!response.ok) return;
  const tokens = exchanged.parse(await response.json());
  const headers = { apikey, authorization: `Bearer ${tokens.access_token}` };
  const closing = impatientFetch(`${SUPABASE_URL}/auth/v1/logout?scope=local`, {
    method: "POST",
    headers,
  });
  waitUntil(closing.catch(() => undefined));
  return tokens;
}
