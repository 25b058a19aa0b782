import { type ServiceClient, serviceClient } from "~/database/service-client.server";
import { describeError, log } from "~/observability/log.server";
import { withinApiLimit } from "~/request/rate-limit.server";
import type { RequestContext } from "~/request/request-context";
import { problem } from "./problem";
import { hashOf, tokenIn } from "./token";

/** An agent that sent a token of the right form. Whose it is, only the database knows. */
export type Caller = { ok: true; database: ServiceClient; tokenHash: string };

/** Reads the token of a call and counts the call. Cookies play no part here. */
export async function callerOf(
  request: Request,
  asked: RequestContext,
): Promise<Caller | { ok: false; refusal: Response }> {
  const token = tokenIn(request.headers.get("authorization"));
  if (!token) return { ok: false, refusal: unknownToken() };
  const tokenHash = await hashOf(token);
  const counted = await withinApiLimit(asked, request, tokenHash).catch((error) => ({ error }));
  if (typeof counted === "object") return { ok: false, refusal: notServed(asked, counted.error) };
  if (!counted) {
    const detail = "More than 300 calls in a minute with this token. Wait, then send the rest.";
    return { ok: false, refusal: problem(429, detail) };
  }
  return { ok: true, database: serviceClient(asked.configuration), tokenHash };
}

/** One answer to no token, a made-up one and a revoked one: nobody learns which it was. */
export function unknownToken(): Response {
  const detail =
    "Send `Authorization: Bearer lkd_…` with a token of yours from /openai-config that is not revoked.";
  return problem(401, detail, { headers: { "www-authenticate": "Bearer" } });
}

/**
 * 503 with `Retry-After` when the database or the count of calls fails; the cause goes to the log with the
 * request's id and no further. What was given up may be recorded later: event ids make that safe.
 */
export function notServed(asked: RequestContext, error: unknown): Response {
  log.error("An agent could not be served", {
    requestId: asked.requestId,
    ...describeError(error),
  });
  return problem(503, "This could not be served right now. Try again: an event is counted once.", {
    headers: { "retry-after": "5" },
  });
}
