import { AuthRetryableFetchError } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { fromBase64url } from "~/http/encodings";
import { type AskingFor, mailClient } from "~/platform/auth-server/auth-server-fetch.server";

const keysPath = "/.well-known/jwks.json";
const name = z.string().check(z.minLength(1));
/** A token's header. Neither name may be empty, or the auth client asks the auth server about the token. */
const tokenHeader = z.object({ alg: name, kid: z.optional(name) });
const discovery = z.object({ issuer: name });

/** The issuer that the auth server says it is, for when tokens do not name the server's address. */
let namedIssuer: { name: string; at: number } | undefined;
const cachedForMs = 10 * 60 * 1_000;

/**
 * False for an access token that the auth server has certainly not signed; expired tokens count as genuine. True
 * also when that cannot be decided here: for a token signed with a shared secret, or when no keys are published.
 * `ask` calls the auth server, and throws when it is down.
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
  // With these arguments the client verifies the token itself, without a call to the auth server.
  const { data } = await mailClient(asking)
    .auth.getClaims(token, { jwks: keys, allowExpired: true })
    .catch(() => ({ data: null }));
  return data !== null && isIssuer(data.claims.iss, asking, ask);
}

/**
 * Whether only the auth server can verify a token, although it publishes keys. Genuine tokens of this kind are
 * rare: signed with a shared secret that was replaced by keys but not revoked yet, or with a key that is newer
 * than the keys that this isolate has read.
 */
export async function isBeyondPublishedKeys(
  token: string,
  ask: (path: string) => Promise<Response>,
): Promise<boolean> {
  const { alg, kid } = headerOf(token);
  const isShared = alg?.startsWith("HS") ?? false;
  const keyId = isShared ? undefined : (kid ?? "");
  const { keys } = (await publishedKeys(() => ask(keysPath), keyId)) ?? { keys: [] };
  return keys.length > 0 && (isShared || !keys.some((key) => key.kid === kid));
}

/**
 * Whether a token's issuer is our auth server. A project with a custom domain still names its first address as
 * the issuer, so if the two differ, the auth server is asked for its issuer. Throws when it does not answer: that
 * is an outage and says nothing about the token.
 */
export async function isIssuer(
  issuer: unknown,
  { configuration }: Pick<AskingFor, "configuration">,
  ask: (path: string) => Promise<Response>,
): Promise<boolean> {
  if (issuer === `${configuration.SUPABASE_URL}/auth/v1`) return true;
  if (!namedIssuer || Date.now() - namedIssuer.at > cachedForMs) {
    const response = await ask("/.well-known/openid-configuration");
    const answer: unknown = await response.json().catch(() => undefined);
    const found = discovery.safeParse(response.ok ? answer : undefined);
    // An answer without an issuer is not remembered, so that the next token asks again.
    if (!found.success)
      throw new AuthRetryableFetchError("The auth server named no issuer", response.status);
    namedIssuer = { name: found.data.issuer, at: Date.now() };
  }
  return issuer === namedIssuer.name;
}

function headerOf(token: string): { alg?: string | undefined; kid?: string | undefined } {
  try {
    const [part = ""] = token.split(".");
    return tokenHeader.parse(JSON.parse(new TextDecoder().decode(fromBase64url(part))));
  } catch {
    return {};
  }
}

/** How long keys are used without asking again: as long as the auth server's own cache keeps them. */
const freshForMs = 10 * 60 * 1_000;
/** An unknown key may be new, so the keys are read again, but not more often than this. */
const askAgainAfterMs = 60 * 1_000;

const publicKey = z.looseObject({
  kid: z.string(),
  kty: z.string(),
  key_ops: z._default(z.array(z.string()), ["verify"]),
});
const keySet = z.object({ keys: z.array(publicKey) });

type PublishedKeys = z.output<typeof keySet>;

/** The keys that this isolate has read. There is one auth server. */
let cachedKeys: PublishedKeys | undefined;
let cachedAt = 0;
let requestedAt = 0;

/**
 * The public keys of the auth server; undefined when its answer is not a key set that we know. A project that
 * signs with a shared secret publishes an empty set. `wanted` is the id of the key that a token names.
 */
export async function publishedKeys(
  ask: () => Promise<Response>,
  keyId?: string,
): Promise<PublishedKeys | undefined> {
  const now = Date.now();
  if (cachedKeys) {
    const isThere = keyId === undefined || cachedKeys.keys.some(({ kid }) => kid === keyId);
    const isFresh = now - cachedAt < (cachedKeys.keys.length > 0 ? freshForMs : askAgainAfterMs);
    if (isFresh && (isThere || now - requestedAt < askAgainAfterMs)) return cachedKeys;
  }
  requestedAt = now;
  const response = await ask();
  const found = keySet.safeParse(response.ok ? await response.json() : undefined);
  if (!found.success) return undefined;
  cachedKeys = found.data;
  cachedAt = now;
  return cachedKeys;
}
