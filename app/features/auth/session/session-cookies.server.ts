import { type CookieOptions, parseCookieHeader, serializeCookieHeader } from "@supabase/ssr";
import { signedInHint } from "~/http/cookies";

/** The most cookies that one answer removes. A session has far fewer; others were not set by us. */
const maxRemovals = 20;

type WrittenCookie = { name: string; value: string; options: CookieOptions };

/** How long a browser keeps a PKCE verifier: as long as the cookie with the destination. Supabase: 400 days. */
const verifierSeconds = 10 * 60;
/** A session that is not used for this long is over. Whoever uses it gets new cookies each hour. */
export const idleSeconds = 7 * 24 * 60 * 60;

const isVerifier = (name: string) => /^sb-.*-code-verifier$/.test(name);
const isToken = (name: string) => sessionOfCookie(name) !== undefined;
const isOfSession = (name: string) => isToken(name) || name === signedInHint;

/** The name of the session whose value a cookie holds, as a whole or as a numbered part. */
export function sessionOfCookie(name: string): string | undefined {
  return /^(sb-.*-auth-token)(\.\d+)?$/.exec(name)?.[1];
}

/** Collects the session cookies that one response sets. */
export function sessionCookies(secure: boolean) {
  const lines = new Map<string, string>();
  return {
    /**
     * Takes the cookies that the auth client wants to set. It does not take removals: which response may remove a
     * session is said at `removable`.
     */
    write(cookies: readonly WrittenCookie[]): void {
      const tokens = cookies.filter(({ name }) => isToken(name));
      const kept = tokens.find(({ value, options }) => value !== "" && options.maxAge !== 0);
      if (tokens.length > 0 && !kept) {
        // The verifier of a sign-in that the same request begins is kept.
        for (const name of lines.keys()) if (isOfSession(name)) lines.delete(name);
        return;
      }
      for (const { name, value, options } of cookies) {
        const maxSeconds = isVerifier(name) ? verifierSeconds : idleSeconds;
        const maxAge = Math.min(options.maxAge ?? maxSeconds, maxSeconds);
        lines.set(name, serializeCookieHeader(name, value, { ...options, maxAge }));
      }
      if (!kept) return;
      const hint = { path: "/", sameSite: "lax", secure, maxAge: idleSeconds } as const;
      lines.set(signedInHint, serializeCookieHeader(signedInHint, "1", hint));
    },
    /** Whether the response sets a new session. */
    opensSession: () => lines.has(signedInHint),
    headers: () => lines.values(),
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
