import { type Cookie, createCookie } from "react-router";
import type { Configuration } from "~/platform/env/configuration.server";
import { type SiteCookie, siteCookies } from "./site-cookies";

/**
 * A signed cookie, which scripts cannot read. The first COOKIE_SECRET signs; all of them verify. A value with a wrong
 * signature reads as null. The key depends on the cookie's name, so the value of one signed cookie is not accepted in
 * another. Only the browser enforces the age: if a copy must not work for longer, the value must contain its end.
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
