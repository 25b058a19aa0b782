import { type CookieOptions, parseCookieHeader, serializeCookieHeader } from "@supabase/ssr";
import { signedInHint } from "./signed-in-hint";

/** Far more than a session has; a browser that sends more has not got them from us. */
const mostRemovals = 20;

type WrittenCookie = { name: string; value: string; options: CookieOptions };

const isOfAuthClient = (name: string) => /^sb-.*-auth-token/.test(name);
const isToken = (name: string) => sessionOfCookie(name) !== undefined;

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
        lines.clear();
        return;
      }
      for (const { name, value, options } of cookies) {
        lines.set(name, serializeCookieHeader(name, value, options));
      }
      if (!kept) return;
      const { maxAge } = kept.options;
      const hint = { path: "/", sameSite: "lax", secure, ...(maxAge && { maxAge }) } as const;
      lines.set(signedInHint, serializeCookieHeader(signedInHint, "1", hint));
    },
    /** Whether the browser will hold a new session. */
    opensSession: () => lines.has(signedInHint),
    headers: () => lines.values(),
  };
}

/**
 * The Set-Cookie headers that remove every session cookie that a request sent. Two may send them: a
 * sign-out, and /signin, where the guards lead whoever was refused. Anywhere else the answer may be to
 * a request that another tab's refresh has overtaken, and would remove the good cookies of meanwhile.
 * A sign-out also removes what begun sign-ins left; /signin keeps it, for they may yet be finished.
 */
export function removalsOf(request: Request, also: "begun sign-ins" | "nothing else"): string[] {
  const sent = parseCookieHeader(request.headers.get("cookie") ?? "").map(({ name }) => name);
  const ours = also === "nothing else" ? isToken : isOfAuthClient;
  return sent
    .filter((name) => ours(name) || name === signedInHint)
    .slice(0, mostRemovals)
    .map((name) => {
      const httpOnly = name !== signedInHint;
      return serializeCookieHeader(name, "", { path: "/", maxAge: 0, sameSite: "lax", httpOnly });
    });
}
