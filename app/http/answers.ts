/** An error of our JSON API: a status, a sentence for the person, and what else the answer says. */
export function apiError(
  status: number,
  error: string,
  more: { code?: string; url?: string } = {},
  headers: HeadersInit = {},
): Response {
  return Response.json(
    { error, ...more },
    { status, headers: { "cache-control": "no-store", ...headers } },
  );
}

/** 405; `allowed` lists the methods as the `Allow` header has them (RFC 9110). */
export function methodNotAllowed(allowed: string): Response {
  return apiError(405, `This address takes ${allowed} only.`, {}, { allow: allowed });
}

/** The response with a small text file that is the same for everybody. */
export function textFile(lines: readonly string[]): Response {
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/**
 * The header that deletes what our pages have stored in the browser, also without JavaScript: drafts, the
 * recipients of a mail merge, and pages in the back/forward cache. It does not name "cookies", because that would
 * delete cookies of other hosts of the domain too.
 */
export const clearSiteData: [name: string, value: string] = [
  "clear-site-data",
  '"cache", "storage"',
];
