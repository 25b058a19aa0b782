import { type Cookie, createCookie } from "react-router";
import type { Configuration } from "~/configuration/configuration.server";

/**
 * A cookie that only we can write and no script can read. The first COOKIE_SECRET signs, all of them
 * are accepted; anything else reads as null. `maxAge`, in seconds, is the browser's to keep: where a
 * copy must not work for longer, the value says until when.
 */
export function signedCookie(
  configuration: Configuration,
  name: string,
  { path, maxAge }: { path: string; maxAge: number },
): Cookie {
  return createCookie(name, {
    path,
    maxAge,
    httpOnly: true,
    secure: configuration.SITE_URL.startsWith("https://"),
    sameSite: "lax",
    secrets: configuration.COOKIE_SECRET,
  });
}
