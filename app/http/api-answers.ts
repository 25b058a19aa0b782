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
