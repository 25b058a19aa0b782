import { type CookieOptions, parseCookieHeader, serializeCookieHeader } from "@supabase/ssr";
import { signedInHint } from "~/http/cookies/signed-in-hint";

/** Far more than a session has; a browser that sends more has not got them from us. */
const maxRemovals = 20;

type WrittenCookie = { name: string; value: string; options: CookieOptions };

/** As long as we remember where somebody was going; the auth client would keep it for 400 days. */
const verifierSeconds = 10 * 60;
/** A session that is not used for so long is over; whoever uses it is given new cookies each hour. */
export const idleSeconds = 7 * 24 * 60 * 60;

const isVerifier = (name: string) => /^sb-.*-code-verifier$/.test(name);
const isToken = (name: string) => sessionOfCookie(name) !== undefined;
const isOfSession = (name: string) => isToken(name) || name === signedInHint;

/** The name of the session that a cookie holds all or a piece of. */
export function sessionOfCookie(name: string): string | undefined {
  return /^(sb-.*-auth-token)(\.\d+)?$/.exec(name)?.[1];
}

/** What one response tells the browser to keep of its session. */
export function sessionCookies(secure: boolean) {
  const lines = new Map<string, string>();
  return {
    /**
     * Takes what the auth client wants written. It also wants to remove what the auth server refused;
     * that is not for each response to do: see `removalsOf`.
     */
    write(cookies: readonly WrittenCookie[]): void {
      const tokens = cookies.filter(({ name }) => isToken(name));
      const kept = tokens.find(({ value, options }) => value !== "" && options.maxAge !== 0);
      if (tokens.length > 0 && !kept) {
        // A sign-in that the same request begins keeps its verifier.
        for (const name of lines.keys()) if (isOfSession(name)) lines.delete(name);
        return;
      }
      for (const { name, value, options } of cookies) {
        const most = isVerifier(name) ? verifierSeconds : idleSeconds;
        const maxAge = Math.min(options.maxAge ?? most, most);
        lines.set(name, serializeCookieHeader(name, value, { ...options, maxAge }));
      }
      if (!kept) return;
      const hint = { path: "/", sameSite: "lax", secure, maxAge: idleSeconds } as const;
      lines.set(signedInHint, serializeCookieHeader(signedInHint, "1", hint));
    },
    /** Whether the browser will hold a new session. */
    opensSession: () => lines.has(signedInHint),
    headers: () => lines.values(),
  };
}

const removable = {
  /**
   * For two: a sign-out, and /signin, where the guards lead whoever was refused. Anywhere else the
   * answer may be to a request that another tab's refresh has overtaken, and would remove the good
   * cookies of meanwhile. /signin keeps begun sign-ins, for they may yet be finished.
   */
  session: isOfSession,
  /** For the end of one of them: the others are not waited for. */
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
