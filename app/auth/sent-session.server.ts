import { combineChunks, parseCookieHeader, stringFromBase64URL } from "@supabase/ssr";
import { sessionOfCookie } from "./session-cookies.server";

type Cookie = { name: string; value: string };

const prefix = "base64-";

/**
 * The cookies of a request. Anybody can write one, and the auth client throws at some: a session that
 * our responses cannot have set reads as empty, under its names, so that signing in replaces them all.
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

async function isUsable(session: string, values: ReadonlyMap<string, string>): Promise<boolean> {
  try {
    const text = await combineChunks(session, (chunk) => values.get(chunk));
    if (!text?.startsWith(prefix)) return false;
    const tokens = decoded(text.slice(prefix.length));
    return isToken(tokens?.access_token) && typeof tokens?.refresh_token === "string";
  } catch {
    return false;
  }
}

/** Whether this looks like a JWT; who signed it is not asked here. */
function isToken(token: unknown): boolean {
  if (typeof token !== "string") return false;
  const [header = "", claims = ""] = token.split(".");
  return decoded(header) !== undefined && decoded(claims) !== undefined;
}

/** The object that base64url text holds. */
function decoded(text: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(stringFromBase64URL(text));
  return value !== null && typeof value === "object" ? { ...value } : undefined;
}
