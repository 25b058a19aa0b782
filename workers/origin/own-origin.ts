import type { Configuration } from "~/platform/env/configuration.server";

let known: { siteUrl: string; origin: string } | undefined;

/** The origin of SITE_URL. An isolate has one configuration, so it is worked out once. */
function originOf({ SITE_URL: siteUrl }: Configuration): string {
  if (known?.siteUrl !== siteUrl) known = { siteUrl, origin: new URL(siteUrl).origin };
  return known.origin;
}

/**
 * The origins whose pages are ours. With an https SITE_URL that one alone: over http anybody on the
 * way could have written the page. On somebody's own machine, `localhost` and `127.0.0.1` are both
 * used, so there the address that was asked counts too.
 */
export function isOwnOrigin(origin: string | null, url: URL, configuration: Configuration) {
  const own = originOf(configuration);
  return origin === own || (origin === url.origin && !own.startsWith("https:"));
}

/** Whether a request was sent to the one address that the site has. */
export function isAtOwnOrigin(url: URL, configuration: Configuration): boolean {
  return isOwnOrigin(url.origin, url, configuration);
}

/**
 * Whoever opens a page at another scheme or host is led to the same page of SITE_URL. Everything else
 * is refused: a redirect would send a form or a token over the same open line again and again, and
 * nobody would notice (ASVS 5, 4.1.2 and 12.2.1).
 */
export function leadToOwnOrigin(
  request: Request,
  path: string,
  configuration: Configuration,
): Response | undefined {
  const url = new URL(request.url);
  if (isAtOwnOrigin(url, configuration)) return;
  const own = originOf(configuration);
  const reads = request.method === "GET" || request.method === "HEAD";
  const forPrograms = url.pathname.startsWith("/api/");
  if (reads && !forPrograms) {
    return new Response(null, { status: 308, headers: { location: own + path + url.search } });
  }
  const sentence = `Nothing was done: this address is not ours. Use ${own}`;
  const said = `${sentence} and ${forPrograms ? "replace any token that was sent here" : "try again"}.`;
  // In the form of RFC 9457, as agents read it, and with the `error` of our JSON API.
  const answer = { title: "Forbidden", status: 403, detail: said, error: said };
  return new Response(forPrograms ? JSON.stringify(answer) : said, {
    status: 403,
    headers: {
      "cache-control": "no-store",
      "content-type": forPrograms ? "application/problem+json" : "text/plain; charset=utf-8",
    },
  });
}
