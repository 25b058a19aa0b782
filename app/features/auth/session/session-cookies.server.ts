import {
  type CookieOptions,
  combineChunks,
  parseCookieHeader,
  serializeCookieHeader,
  stringFromBase64URL,
} from "@supabase/ssr";
import { signedInHint, trialHint } from "~/http/cookies";

/** The most cookies that one answer removes. A session has far fewer; others were not set by us. */
const maxRemovals = 20;

type WrittenCookie = { name: string; value: string; options: CookieOptions };

/** How long a browser keeps a PKCE verifier: as long as the cookie with the destination. Supabase: 400 days. */
const verifierSeconds = 10 * 60;
/** A session that is not used for this long is over. One that is used gets new cookies each hour. */
const idleSeconds = 7 * 24 * 60 * 60;

const isVerifier = (name: string) => /^sb-.*-code-verifier$/.test(name);
const isToken = (name: string) => sessionOfCookie(name) !== undefined;
const isOfSession = (name: string) => isToken(name) || name === signedInHint;

/** The name of the session whose value a cookie holds, as a whole or as a numbered part. */
function sessionOfCookie(name: string): string | undefined {
  return /^(sb-.*-auth-token)(\.\d+)?$/.exec(name)?.[1];
}

/** Collects the session cookies that one response sets. */
export function sessionCookies(secure: boolean) {
  const lines = new Map<string, string>();
  let opensSession = false;
  return {
    /**
     * Takes the cookies that the auth client wants to set. It does not take removals: which response may remove a
     * session is said at `removable`.
     */
    write(cookies: readonly WrittenCookie[]): void {
      const tokens = cookies.filter(({ name }) => isToken(name));
      const stored = tokens.find(({ value, options }) => value !== "" && options.maxAge !== 0);
      if (tokens.length > 0 && !stored) {
        // The verifier of a sign-in that the same request begins is kept.
        for (const name of lines.keys()) if (isToken(name)) lines.delete(name);
        opensSession = false;
        return;
      }
      for (const { name, value, options } of cookies) {
        const maxSeconds = isVerifier(name) ? verifierSeconds : idleSeconds;
        const maxAge = Math.min(options.maxAge ?? maxSeconds, maxSeconds);
        lines.set(name, serializeCookieHeader(name, value, { ...options, maxAge }));
      }
      if (stored) opensSession = true;
    },
    /** Whether the response sets a new session. */
    opensSession: () => opensSession,
    /** The `Set-Cookie` headers, with the hint for scripts beside a new session. */
    headers(isTrial: boolean): string[] {
      if (!opensSession) return [...lines.values()];
      const hint = { path: "/", sameSite: "lax", secure, maxAge: idleSeconds } as const;
      const value = isTrial ? trialHint : "1";
      return [...lines.values(), serializeCookieHeader(signedInHint, value, hint)];
    },
  };
}

const removable = {
  /**
   * The session, without begun sign-ins. Only an answer that ends the session, and /signin with a refused one, may
   * remove it. Any other answer may belong to a request that was overtaken by a refresh in another tab, and would
   * remove the new cookies.
   */
  session: isOfSession,
  /** The PKCE verifiers of sign-ins at a provider. When one has ended, all are removed. */
  "begun sign-ins": isVerifier,
  both: (name: string) => isOfSession(name) || isVerifier(name),
};

/** The Set-Cookie headers that remove every cookie of this kind that a request sent. */
export function removalsOf(request: Request, kind: keyof typeof removable): string[] {
  const sent = parseCookieHeader(request.headers.get("cookie") ?? "").map(({ name }) => name);
  return sent
    .filter(removable[kind])
    .slice(0, maxRemovals)
    .map((name) => {
      const httpOnly = name !== signedInHint;
      return serializeCookieHeader(name, "", { path: "/", maxAge: 0, sameSite: "lax", httpOnly });
    });
}

export type Cookie = { name: string; value: string };

const prefix = "base64-";

/**
 * The cookies of a request, checked for the auth client. Anybody can write a cookie, and the client throws at some
 * values. The cookies of a session that our responses cannot have set, or that was not used for a week, get empty
 * values: they keep their names, so that the next sign-in replaces them.
 */
export async function sentCookies(request: Request): Promise<Cookie[]> {
  const sent = parseCookieHeader(request.headers.get("cookie") ?? "");
  const values = new Map(sent.map(({ name, value = "" }) => [name, value]));
  const usable = new Map<string, Promise<boolean>>();
  return Promise.all(
    sent.map(async ({ name, value = "" }) => {
      const session = sessionOfCookie(name);
      if (session === undefined) return { name, value };
      const usability = usable.get(session) ?? isUsable(session, values);
      usable.set(session, usability);
      return { name, value: (await usability) ? value : "" };
    }),
  );
}

/** Whether `sentCookies` has emptied this cookie of a session. */
export function isUnreadable({ name, value }: Cookie): boolean {
  return value === "" && sessionOfCookie(name) !== undefined;
}

/** The access token that was sent together with this refresh token; undefined when no sent session has it. */
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
 * The user id in the session that a request sent, even if that session is over. The token is not verified, so use
 * it only to decide whose drafts this browser may show again.
 */
export async function ownerOfSentSession(request: Request): Promise<string | undefined> {
  const sent = parseCookieHeader(request.headers.get("cookie") ?? "");
  const values = new Map(sent.map(({ name, value = "" }) => [name, value]));
  const session = sent.map(({ name }) => sessionOfCookie(name)).find(Boolean);
  const owner = session && (await tokensOf(session, values))?.claims.sub;
  return typeof owner === "string" ? owner : undefined;
}

/** The user id in an access token, whose signature is not checked. */
export function subjectOf(accessToken: string): string | undefined {
  return claimIn(accessToken, "sub");
}

/** The id of the session in an access token, whose signature is not checked. */
export function sessionIdOf(accessToken: string): string | undefined {
  return claimIn(accessToken, "session_id");
}

function claimIn(accessToken: string, name: string): string | undefined {
  try {
    const claim = claimsOfToken(accessToken)?.[name];
    return typeof claim === "string" ? claim : undefined;
  } catch {
    return;
  }
}

async function isUsable(session: string, values: ReadonlyMap<string, string>): Promise<boolean> {
  const tokens = await tokensOf(session, values);
  return tokens !== undefined && !isIdle(tokens.claims);
}

/** Whether a session was not used for too long: a page that is open renews the tokens once an hour. */
function isIdle({ exp }: Record<string, unknown>): boolean {
  return typeof exp === "number" && exp + idleSeconds < Date.now() / 1_000;
}

/** The tokens of a session and the claims of its access token; undefined if our responses cannot have set it. */
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

/** The claims of a token that has the form of a JWT. Its signature is not checked. */
function claimsOfToken(token: string): Record<string, unknown> | undefined {
  const [header = "", claims = ""] = token.split(".");
  return decoded(header) && decoded(claims);
}

/** The JSON object in base64url text; undefined for anything else. */
function decoded(text: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(stringFromBase64URL(text));
  return value !== null && typeof value === "object" ? { ...value } : undefined;
}
