import { type Cookie, createCookie } from "react-router";
import type { Configuration } from "~/platform/env/configuration.server";
import { type SiteCookie, siteCookies } from "./site-cookies";

/**
 * A cookie that only we can write and no script can read. The first COOKIE_SECRET signs, all of them
 * are accepted; anything else reads as null. The key is made for this name: the value of another
 * signed cookie does not count here. Its age is the browser's to keep: where a copy must not work for
 * longer, the value says until when.
 */
export function signedCookie(configuration: Configuration, name: SiteCookie): Cookie {
  return createCookie(name, {
    path: "/",
    maxAge: siteCookies[name],
    httpOnly: true,
    secure: configuration.SITE_URL.startsWith("https://"),
    sameSite: "lax",
    secrets: configuration.COOKIE_SECRET.map((secret) => `${secret} signed cookie ${name}`),
  });
}
