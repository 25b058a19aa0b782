import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { toBase64url } from "~/http/encodings";
import { sha256 } from "~/http/hashes";
import { authServerFetch } from "~/platform/auth-server/auth-server-fetch.server";
import { sessionIdOf } from "./session-cookies.server";

/**
 * Begins a PKCE flow that leaves the visitor's own session alone: the visitor goes to a provider and comes back
 * to `path`. Returns the URL to send them to, and the verifier. Only their browser may keep the verifier; without
 * it the code that comes back is useless.
 */
export async function beginSideFlow(
  { configuration }: Pick<AppContext, "configuration">,
  path: string,
  flow: Record<string, string>,
): Promise<{ url: string; verifier: string }> {
  const verifier = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  const parameters = new URLSearchParams({
    ...flow,
    redirect_to: configuration.SITE_URL + path,
    code_challenge: toBase64url(await sha256(verifier)),
    code_challenge_method: "s256",
  });
  return { url: `${configuration.SUPABASE_URL}/auth/v1/authorize?${parameters}`, verifier };
}

const exchanged = z.object({
  access_token: z.string(),
  user: z.object({ id: z.string() }),
  provider_token: z.optional(z.string()),
});

/** The user whom the provider named at the end of a side flow, and the session that was made for the flow. */
export type SideFlowEnd = { userId: string; sessionId: string; providerToken: string | undefined };

/**
 * Ends a side flow: calls `use` with the user whom the provider named, and then closes the session that the auth
 * server made for the flow. Undefined for a code that has expired. Throws when the auth server does not answer,
 * and whatever `use` throws.
 */
export async function finishSideFlow<Result>(
  context: AppContext,
  { code, verifier }: { code: string; verifier: string },
  use: (end: SideFlowEnd) => Result | Promise<Result>,
): Promise<Result | undefined> {
  const { SUPABASE_URL } = context.configuration;
  const ask = authServerFetch(context);
  const response = await ask(`${SUPABASE_URL}/auth/v1/token?grant_type=pkce`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ auth_code: code, code_verifier: verifier }),
  });
  if (response.status >= 500 || response.status === 429)
    throw new Error(`The auth server answered ${response.status}`);
  if (!response.ok) return;
  const { access_token, user, provider_token } = exchanged.parse(await response.json());
  try {
    const sessionId = sessionIdOf(access_token);
    if (!sessionId) throw new Error("The auth server named no session");
    return await use({ userId: user.id, sessionId, providerToken: provider_token });
  } finally {
    const closing = ask(`${SUPABASE_URL}/auth/v1/logout?scope=local`, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}` },
    });
    context.waitUntil(closing.catch(() => undefined));
  }
}
