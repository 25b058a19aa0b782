/** Every problem of the API by its code, which programs read: it never changes its meaning. */
export const problems = {
  "unknown-token": { status: 401, title: "Unauthorized" },
  "missing-scope": { status: 403, title: "Forbidden" },
  plan: { status: 403, title: "Forbidden" },
  "not-found": { status: 404, title: "Not Found" },
  method: { status: 405, title: "Method Not Allowed" },
  conflict: { status: 409, title: "Conflict" },
  full: { status: 409, title: "Conflict" },
  "in-progress": { status: 409, title: "Conflict" },
  "not-comparable": { status: 409, title: "Conflict" },
  changed: { status: 412, title: "Precondition Failed" },
  "too-large": { status: 413, title: "Content Too Large" },
  "no-json": { status: 415, title: "Unsupported Media Type" },
  "invalid-query": { status: 400, title: "Bad Request" },
  "invalid-json": { status: 400, title: "Bad Request" },
  "invalid-key": { status: 400, title: "Bad Request" },
  "invalid-body": { status: 422, title: "Unprocessable Content" },
  "key-reused": { status: 422, title: "Unprocessable Content" },
  "if-match-missing": { status: 428, title: "Precondition Required" },
  "too-often": { status: 429, title: "Too Many Requests" },
  "too-many-changes": { status: 429, title: "Too Many Requests" },
  unavailable: { status: 503, title: "Service Unavailable" },
} as const;

export type ProblemCode = keyof typeof problems;

/** One thing that is wrong: at a JSON pointer into the body, as a URI fragment, or at a parameter of the query. */
export type Fault = { pointer: string; detail: string } | { parameter: string; detail: string };

export type Problem = {
  problem: ProblemCode;
  detail: string;
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
};

/** What a call is answered. `body` is JSON; null for an answer without one. */
export type ApiAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/** A problem in the form of RFC 9457. It has no `type`: its code says what kind of problem it is. */
export function problemAnswer(
  { problem, detail, errors, headers = {} }: Problem,
  requestId: string,
): ApiAnswer {
  const { status, title } = problems[problem];
  return {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...headers,
    },
    body: JSON.stringify({
      ...{ title, status, code: problem, detail },
      ...(errors ? { errors } : {}),
      request_id: requestId,
    }),
  };
}

export const unavailable: Problem = {
  problem: "unavailable",
  detail: "This could not be served right now. Send the same again in a moment, with the same key.",
  headers: { "retry-after": "5" },
};

export const notFound = (what: string): Problem => ({
  problem: "not-found",
  detail: `There is no such ${what} in this workspace.`,
});
