/** An error of our JSON API: a status and a sentence for the person. */
export function apiError(status: number, error: string, headers: HeadersInit = {}): Response {
  return Response.json({ error }, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** 405; `allowed` lists the methods as the `Allow` header has them (RFC 9110). */
export function methodNotAllowed(allowed: string): Response {
  return apiError(405, `This address takes ${allowed} only.`, { allow: allowed });
}
