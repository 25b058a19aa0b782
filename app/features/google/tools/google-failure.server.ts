import * as z from "zod/mini";

export type GoogleFailure = {
  ok: false;
  /** The status of our own answer. It can differ from Google's, which is 403 for a spent quota and not 429. */
  status: 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503;
  /** The reason, for tools that have their own sentence for it. */
  kind:
    | "request"
    | "token"
    | "scope"
    | "forbidden"
    | "switched-off"
    | "not-found"
    | "changed"
    | "quota"
    | "unavailable";
  /** A sentence for the person. */
  message: string;
  /** Seconds that Google asks to wait. */
  retryAfter?: number;
};

/** The error body of both generations of Google's APIs: the older list `errors`, the newer `details`. */
const refusal = z.object({
  error: z.object({
    status: z.optional(z.string()),
    errors: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
    details: z.optional(z.array(z.object({ reason: z.optional(z.string()) }))),
  }),
});

const quota =
  /^(rateLimitExceeded|userRateLimitExceeded|quotaExceeded|dailyLimitExceeded|dailyLimitExceededUnreg|sharingRateLimitExceeded|RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/;
const scope =
  /^(insufficientPermissions|insufficientAuthenticationScopes|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/;
const switchedOff = /^(accessNotConfigured|SERVICE_DISABLED)$/;

export const unreachable: GoogleFailure = {
  ok: false,
  status: 503,
  kind: "unavailable",
  message: "Google is not answering at the moment. Please try again in a minute.",
};

export const notFound: GoogleFailure = {
  ok: false,
  status: 404,
  kind: "not-found",
  message: "Google did not find it. It may have been deleted.",
};

/** The failure that an error answer of Google's stands for. Google's own words are never shown. */
export function googleFailure(response: Response, text: string): GoogleFailure {
  const reasons = reasonsIn(text);
  const says = (words: RegExp) => reasons.some((reason) => words.test(reason));
  switch (response.status) {
    case 400:
      return failure(400, "request", "Google did not accept this. Check what you typed.");
    case 401:
      return failure(
        401,
        "token",
        "Google no longer accepts the connection. Connect again: what you typed stays here.",
      );
    case 403:
      if (says(quota)) return tooMuch(response);
      if (says(scope)) {
        return failure(
          403,
          "scope",
          "Google was not given the permission for this. Connect again and allow it: what you typed stays here.",
        );
      }
      return says(switchedOff)
        ? failure(502, "switched-off", "This Google API is switched off for our site.")
        : failure(403, "forbidden", "Google does not allow this for your account.");
    case 404:
    case 410:
      return notFound;
    case 409:
    case 412:
      return failure(409, "changed", "It was changed at Google meanwhile. Please try again.");
    case 429:
      return tooMuch(response);
  }
  return response.status >= 500
    ? unreachable
    : failure(502, "request", "Google answered in a way that we do not know.");
}

function failure(
  status: GoogleFailure["status"],
  kind: GoogleFailure["kind"],
  message: string,
): GoogleFailure {
  return { ok: false, status, kind, message };
}

function tooMuch(response: Response): GoogleFailure {
  const limit = "Google's limit for your account is reached.";
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 86_400) {
    return failure(429, "quota", `${limit} Please try again in a few minutes.`);
  }
  const wait =
    seconds === 1
      ? "a second"
      : seconds < 120
        ? `${seconds} seconds`
        : `${Math.ceil(seconds / 60)} minutes`;
  return {
    ...failure(429, "quota", `${limit} Please try again in ${wait}.`),
    retryAfter: seconds,
  };
}

function reasonsIn(text: string): string[] {
  try {
    const { error } = refusal.parse(JSON.parse(text));
    const listed = [...(error.errors ?? []), ...(error.details ?? [])];
    return [error.status ?? "", ...listed.map(({ reason = "" }) => reason)];
  } catch {
    return [];
  }
}
