import { AuthRetryableFetchError } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { fromBase64url } from "~/http/encodings/base64";
import type { AskingFor } from "~/platform/auth-server/auth-server-fetch.server";
import { mailClient } from "./mail-client.server";
import { publishedKeys } from "./published-keys.server";

const keysPath = "/.well-known/jwks.json";
const name = z.string().check(z.minLength(1));
/** The auth client asks the auth server about a token whose algorithm or key is empty. */
const tokenHeader = z.object({ alg: name, kid: z.optional(name) });
const discovery = z.object({ issuer: name });

/** The issuer that the auth server names itself, where tokens do not name its address. */
let ownIssuer: { name: string; at: number } | undefined;
const keptForMs = 10 * 60 * 1_000;

/**
 * Whether an access token, ended or not, may be one of the auth server's. Tokens that are signed with
 * a shared secret cannot be told here, nor any where no keys are published: they may. `ask` calls the
 * auth server, and throws when it is down.
 */
export async function mayBeGenuine(
  token: string,
  asking: AskingFor,
  ask: (path: string) => Promise<Response>,
): Promise<boolean> {
  const { alg, kid } = headerOf(token);
  if (alg?.startsWith("HS")) return true;
  const keys = await publishedKeys(() => ask(keysPath), kid ?? "");
  if (!keys || keys.keys.length === 0) return true;
  if (!keys.keys.some((key) => key.kid === kid)) return false;
  // The client checks a token that it is given by keys that it is given, and asks nobody.
  const { data } = await mailClient(asking)
    .auth.getClaims(token, { jwks: keys, allowExpired: true })
    .catch(() => ({ data: null }));
  return data !== null && isIssuer(data.claims.iss, asking, ask);
}

/**
 * Whether only the auth server can tell a token, although it publishes keys. A genuine one is rare: a
 * shared secret that the keys have replaced still counts until it is revoked, and a key may be newer
 * than what an isolate keeps.
 */
export async function isBeyondPublishedKeys(
  token: string,
  ask: (path: string) => Promise<Response>,
): Promise<boolean> {
  const { alg, kid } = headerOf(token);
  const isShared = alg?.startsWith("HS") ?? false;
  const wanted = isShared ? undefined : (kid ?? "");
  const { keys } = (await publishedKeys(() => ask(keysPath), wanted)) ?? { keys: [] };
  return keys.length > 0 && (isShared || !keys.some((key) => key.kid === kid));
}

/**
 * Whether a token's issuer is our auth server. Behind a domain of its own a project goes on naming its
 * first address, so the auth server itself is asked where the two differ. Throws when it does not say
 * its name: that is an outage and no verdict on the token.
 */
export async function isIssuer(
  issuer: unknown,
  { configuration }: Pick<AskingFor, "configuration">,
  ask: (path: string) => Promise<Response>,
): Promise<boolean> {
  if (issuer === `${configuration.SUPABASE_URL}/auth/v1`) return true;
  if (!ownIssuer || Date.now() - ownIssuer.at > keptForMs) {
    const response = await ask("/.well-known/openid-configuration");
    const answer: unknown = await response.json().catch(() => undefined);
    const found = discovery.safeParse(response.ok ? answer : undefined);
    // An answer without a name is not kept: the next token asks again.
    if (!found.success)
      throw new AuthRetryableFetchError("The auth server named no issuer", response.status);
    ownIssuer = { name: found.data.issuer, at: Date.now() };
  }
  return issuer === ownIssuer.name;
}

function headerOf(token: string): { alg?: string | undefined; kid?: string | undefined } {
  try {
    const [part = ""] = token.split(".");
    return tokenHeader.parse(JSON.parse(new TextDecoder().decode(fromBase64url(part))));
  } catch {
    return {};
  }
}
