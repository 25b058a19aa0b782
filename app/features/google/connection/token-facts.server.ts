import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import type { Configuration } from "~/platform/env/configuration.server";
import { fetchWithTimeout } from "~/platform/fetch-with-timeout.server";
import { describeError, log } from "~/platform/log/log.server";
import { googleAddress } from "../tools/google-api.server";

const scopePrefix = "https://www.googleapis.com/auth/";

/** The answer of oauth2.googleapis.com/tokeninfo about an access token. Its numbers are text. */
const tokenInfo = z.object({
  scope: z.string(),
  expires_in: z.pipe(z.union([z.string(), z.number()]), z.transform(Number)),
  email: z.optional(z.string()),
});

/** The full name of a scope, as Google is asked for it. */
export const fullScope = (scope: string) => scopePrefix + scope;

/**
 * The scopes that the person granted, by their short names. They can differ from those that were requested: each
 * can be unticked, and scopes granted earlier are included. Throws when Google does not answer.
 */
export async function tokenFacts(configuration: Configuration, token: string) {
  const response = await fetchWithTimeout(googleAddress(configuration, "/tokeninfo"), {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    // In the body: addresses end up in logs.
    body: new URLSearchParams({ access_token: token }),
  });
  if (!response.ok) throw new Error(`Google's tokeninfo answered ${response.status}`);
  const { scope, expires_in, email = "" } = tokenInfo.parse(await response.json());
  const scopes = scope
    .split(" ")
    .filter((each) => each.startsWith(scopePrefix))
    .map((each) => each.slice(scopePrefix.length));
  return { scopes, seconds: Math.floor(expires_in), email };
}

/** Revokes a token, and with it every permission that the person gave. Answers whether Google did so. */
export async function revokeToken({ configuration }: AppContext, token: string): Promise<boolean> {
  try {
    const response = await fetchWithTimeout(googleAddress(configuration, "/revoke"), {
      method: "POST",
      body: new URLSearchParams({ token }),
    });
    await response.body?.cancel();
    // Google answers 400 for a token that has already expired or was revoked.
    return response.ok || response.status === 400;
  } catch (error) {
    log.error("Google did not revoke a token", describeError(error));
    return false;
  }
}
