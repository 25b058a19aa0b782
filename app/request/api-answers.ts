/** An error of our JSON API: a status and a sentence for the person. */
export function apiError(status: number, error: string, headers: HeadersInit = {}): Response {
  return Response.json({ error }, { status, headers: { "cache-control": "no-store", ...headers } });
}

export function methodNotAllowed(allowed: string): Response {
  return apiError(405, `This address takes ${allowed} only.`, { allow: allowed });
}
