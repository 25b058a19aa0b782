import type { Configuration } from "~/platform/env/configuration.server";

let cached: { siteUrl: string; origin: string } | undefined;

/** The origin of SITE_URL, parsed once: an isolate has one configuration. */
function originOf({ SITE_URL: siteUrl }: Configuration): string {
  if (cached?.siteUrl !== siteUrl) cached = { siteUrl, origin: new URL(siteUrl).origin };
  return cached.origin;
}

/**
 * Whether an origin is ours. With an https SITE_URL only that one is: a page that came over http may have been
 * changed on the way. On a developer's machine `localhost` and `127.0.0.1` are both used, so the origin of the
 * request counts too.
 */
export function isOwnOrigin(origin: string | null, url: URL, configuration: Configuration) {
  const siteOrigin = originOf(configuration);
  return origin === siteOrigin || (origin === url.origin && !siteOrigin.startsWith("https:"));
}

/** Whether a request was sent to our own origin. */
export function isAtOwnOrigin(url: URL, configuration: Configuration): boolean {
  return isOwnOrigin(url.origin, url, configuration);
}

/**
 * Redirects a page request for another scheme or host to the same page of SITE_URL. Everything else is refused: with
 * a redirect, a program would send its form or token over the unencrypted connection again and again, and nobody
 * would notice (ASVS 5, 4.1.2 and 12.2.1).
 */
export function leadToOwnOrigin(
  request: Request,
  path: string,
  configuration: Configuration,
): Response | undefined {
  const url = new URL(request.url);
  if (isAtOwnOrigin(url, configuration)) return;
  const siteOrigin = originOf(configuration);
  const reads = request.method === "GET" || request.method === "HEAD";
  const forPrograms = url.pathname.startsWith("/api/");
  if (reads && !forPrograms) {
    return new Response(null, {
      status: 308,
      headers: { location: siteOrigin + path + url.search },
    });
  }
  const sentence = `Nothing was done: this address is not ours. Use ${siteOrigin}`;
  const message = `${sentence} and ${forPrograms ? "replace any token that was sent here" : "try again"}.`;
  // In the form of RFC 9457, as agents read it, and with the `error` of our JSON API.
  const answer = { title: "Forbidden", status: 403, detail: message, error: message };
  return new Response(forPrograms ? JSON.stringify(answer) : message, {
    status: 403,
    headers: {
      "cache-control": "no-store",
      "content-type": forPrograms ? "application/problem+json" : "text/plain; charset=utf-8",
    },
  });
}
