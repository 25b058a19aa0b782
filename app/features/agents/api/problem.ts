const titles = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  405: "Method Not Allowed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  503: "Service Unavailable",
} as const;

/** One thing that is wrong in a body. `pointer` is a JSON pointer to it, as a URI fragment. */
export type Fault = { pointer: string; detail: string };

/** The quota of the account that a call would exceed. */
export type QuotaCode = "daily_events" | "daily_identities" | "busy";

/** An error answer in the form of RFC 9457. It has no `type`, so its status says what kind of error it is. */
export function problem(
  status: keyof typeof titles,
  detail: string,
  {
    code,
    errors,
    headers = {},
  }: { code?: QuotaCode; errors?: readonly Fault[]; headers?: Record<string, string> } = {},
): Response {
  return Response.json(
    {
      title: titles[status],
      status,
      detail,
      ...(code ? { code } : {}),
      ...(errors ? { errors } : {}),
    },
    {
      status,
      headers: {
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        ...headers,
      },
    },
  );
}

/** 405; `allowed` lists the methods as the `Allow` header has them (RFC 9110). */
export function problemOfMethod(allowed: string): Response {
  return problem(405, `This address takes ${allowed} only.`, { headers: { allow: allowed } });
}
