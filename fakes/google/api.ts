/** One authorized request to a Google API, as the API's own code sees it. */
export interface ApiCall {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The JSON body; undefined where there is none. */
  body: unknown;
  /** Whose data it is about. */
  email: string;
}

/** Google's error, in the form that its JSON APIs share. */
export function googleError(options: {
  status: number;
  /** Google's name of the status, such as NOT_FOUND. */
  name: string;
  /** The machine-readable reason, such as notFound. */
  reason: string;
  message: string;
  domain?: string;
  details?: object[];
  headers?: Record<string, string>;
}): Response {
  const { status, name, reason, message, domain = "global", details, headers } = options;
  return Response.json(
    {
      error: {
        code: status,
        message,
        errors: [{ message, domain, reason }],
        status: name,
        ...(details ? { details } : {}),
      },
    },
    { status, ...(headers ? { headers } : {}) },
  );
}

/** Google's answer for something that is not there. */
export function notFound(message = "Requested entity was not found."): Response {
  return googleError({ status: 404, name: "NOT_FOUND", reason: "notFound", message });
}

/** Google's answer for an invalid request. */
export function invalid(message: string, reason = "badRequest"): Response {
  return googleError({ status: 400, name: "INVALID_ARGUMENT", reason, message });
}

/** Google's answer for a token that is unknown, expired or revoked. */
export function unauthenticated(): Response {
  return googleError({
    status: 401,
    name: "UNAUTHENTICATED",
    reason: "authError",
    message: "Request had invalid authentication credentials.",
    headers: { "www-authenticate": 'Bearer realm="https://accounts.google.com/"' },
  });
}

export type Fields = Record<string, unknown>;

/** A JSON object, or an empty one where something else was sent. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** A text field, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** One page of a list; undefined for a page token that was never given out. */
export function pageOf<Item>(
  items: readonly Item[],
  size: number,
  token: string | null,
): { items: Item[]; nextPageToken?: string } | undefined {
  const start = token ? Number(/^page-(\d+)$/.exec(token)?.[1] ?? Number.NaN) : 0;
  if (Number.isNaN(start) || start > items.length) return;
  const end = start + size;
  return {
    items: items.slice(start, end),
    ...(end < items.length ? { nextPageToken: `page-${end}` } : {}),
  };
}
