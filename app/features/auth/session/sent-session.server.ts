import { combineChunks, parseCookieHeader, stringFromBase64URL } from "@supabase/ssr";
import { idleSeconds, sessionOfCookie } from "./session-cookies.server";

export type Cookie = { name: string; value: string };

const prefix = "base64-";

/**
 * The cookies of a request. Anybody can write one, and the auth client throws at some: a session that
 * our responses cannot have set reads as empty, under its names, so that signing in replaces them all.
 * So does one that nobody used for a week.
 */
export async function sentCookies(request: Request): Promise<Cookie[]> {
  const sent = parseCookieHeader(request.headers.get("cookie") ?? "");
  const values = new Map(sent.map(({ name, value = "" }) => [name, value]));
  const usable = new Map<string, Promise<boolean>>();
  return Promise.all(
    sent.map(async ({ name, value = "" }) => {
      const session = sessionOfCookie(name);
      if (session === undefined) return { name, value };
      const known = usable.get(session) ?? isUsable(session, values);
      usable.set(session, known);
      return { name, value: (await known) ? value : "" };
    }),
  );
}

/** Whether this is a cookie of a session that reads as empty. */
export function isUnreadable({ name, value }: Cookie): boolean {
  return value === "" && sessionOfCookie(name) !== undefined;
}

/** The access token of the sent session that this refresh token belongs to, if it is one of a sent session. */
export async function accessTokenBeside(
  refreshToken: string,
  cookies: readonly Cookie[],
): Promise<string | undefined> {
  const values = new Map(cookies.map(({ name, value }) => [name, value]));
  const sessions = new Set(cookies.map(({ name }) => sessionOfCookie(name)));
  for (const session of sessions) {
    const tokens = session === undefined ? undefined : await tokensOf(session, values);
    if (tokens?.refreshToken === refreshToken) return tokens.accessToken;
  }
}

/**
 * Whose session a request sent, whether or not it lives. Nobody has checked the token: this may tell
 * who gets back what this browser kept for them, and nothing else.
 */
export async function ownerOfSentSession(request: Request): Promise<string | undefined> {
  const sent = parseCookieHeader(request.headers.get("cookie") ?? "");
  const values = new Map(sent.map(({ name, value = "" }) => [name, value]));
  const session = sent.map(({ name }) => sessionOfCookie(name)).find(Boolean);
  const owner = session && (await tokensOf(session, values))?.claims.sub;
  return typeof owner === "string" ? owner : undefined;
}

/** The person that a token names; who signed it is not asked here. */
export function subjectOf(accessToken: string): string | undefined {
  try {
    const sub = claimsOfToken(accessToken)?.sub;
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return;
  }
}

async function isUsable(session: string, values: ReadonlyMap<string, string>): Promise<boolean> {
  const tokens = await tokensOf(session, values);
  return tokens !== undefined && !isIdle(tokens.claims);
}

/** A session whose tokens ended so long ago is over: an open page renews them once an hour. */
function isIdle({ exp }: Record<string, unknown>): boolean {
  return typeof exp === "number" && exp + idleSeconds < Date.now() / 1_000;
}

/** The tokens of a session, and the access token's claims; undefined for what our responses cannot have set. */
async function tokensOf(session: string, values: ReadonlyMap<string, string>) {
  try {
    const text = await combineChunks(session, (chunk) => values.get(chunk));
    if (!text?.startsWith(prefix)) return;
    const { access_token, refresh_token } = decoded(text.slice(prefix.length)) ?? {};
    if (typeof access_token !== "string" || typeof refresh_token !== "string") return;
    const claims = claimsOfToken(access_token);
    return claims && { accessToken: access_token, refreshToken: refresh_token, claims };
  } catch {
    return;
  }
}

/** What a token that looks like a JWT says; who signed it is not asked here. */
function claimsOfToken(token: string): Record<string, unknown> | undefined {
  const [header = "", claims = ""] = token.split(".");
  return decoded(header) && decoded(claims);
}

/** The object that base64url text holds. */
function decoded(text: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(stringFromBase64URL(text));
  return value !== null && typeof value === "object" ? { ...value } : undefined;
}
