import type { AppContext } from "~/http/app-context";
import { withinApiLimit, withinLimit } from "~/http/rate-limit.server";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { problem } from "./problem";
import { hashOf, isMadeHere, type TokenScope, tokenIn } from "./token";

/** An agent with a token that was made here. Only the database knows which workspace the token belongs to. */
export type AgentCaller = {
  ok: true;
  database: ServiceClient;
  tokenHash: string;
  /** What the call asks for; whether the token is for it, the database knows too. */
  scope: TokenScope;
};

/**
 * Reads the token of a call and counts the call. Cookies play no part here. A token that was not made here, or
 * that the database did not know a moment ago, is refused before anybody reads the body or asks the database.
 */
export async function callerOf(
  request: Request,
  context: AppContext,
  scope: TokenScope,
): Promise<AgentCaller | { ok: false; refusal: Response }> {
  try {
    const token = tokenIn(request.headers.get("authorization"));
    const isOurs = token !== undefined && (await isMadeHere(token, context.configuration));
    const tokenHash = isOurs ? await hashOf(token) : undefined;
    if (!tokenHash || wasRefused(tokenHash, scope)) {
      const counted = await withinLimit(context, "UNKNOWN_TOKEN_LIMIT", request);
      if (!counted) return { ok: false, refusal: problem(429, tooManyUnknown) };
      return { ok: false, refusal: unknown(token ? "not known" : "none") };
    }
    if (!(await withinApiLimit(context, request, tokenHash))) {
      const detail = "More than 300 calls in a minute with this token. Wait, then send the rest.";
      return { ok: false, refusal: problem(429, detail) };
    }
    return { ok: true, database: serviceClient(context.configuration), tokenHash, scope };
  } catch (error) {
    return { ok: false, refusal: notServed(error) };
  }
}

const tooManyUnknown =
  "More than 60 calls in a minute from your network had no token, or one that is unknown, revoked, ended or for something else. Mend the token, wait a minute, then try again.";

/** The answer to a token that the database does not let in. The token is remembered as refused. */
export function unknownToken({ tokenHash, scope }: AgentCaller): Response {
  rememberRefused(tokenHash, scope);
  return unknown("not known");
}

/**
 * A missing, an invented, a revoked and an ended token, and one for something else, get the same answer: a caller cannot
 * learn which it was.
 */
function unknown(token: "none" | "not known"): Response {
  log.warn("An agent was refused", { token });
  const detail =
    "Send `Authorization: Bearer lkd_…` with a token of yours from /openai-config that is for this, and has not ended or been revoked.";
  return problem(401, detail, { headers: { "www-authenticate": "Bearer" } });
}

/**
 * 503 with `Retry-After` when the database or the count of calls fails; the cause goes to the log with the
 * request's id and no further. What was given up may be recorded later: event ids make that safe.
 */
export function notServed(error: unknown): Response {
  log.error("An agent could not be served", describeError(error));
  return problem(503, "This could not be served right now. Try again: an event is counted once.", {
    headers: { "retry-after": "5" },
  });
}

const forgottenAfterMs = 60_000;
const maxRemembered = 1_000;
const refusedAt = new Map<string, number>();

/**
 * Remembers the hash of a token that the database refused for a scope, for a minute and in this isolate only. A token
 * that is unknown, revoked, ended or for something else never becomes valid for it later, so refusing it again without
 * the database is safe.
 */
export function rememberRefused(tokenHash: string, scope: TokenScope, now = Date.now()): void {
  if (refusedAt.size >= maxRemembered) refusedAt.clear();
  refusedAt.set(`${scope} ${tokenHash}`, now);
}

export function wasRefused(tokenHash: string, scope: TokenScope, now = Date.now()): boolean {
  const last = refusedAt.get(`${scope} ${tokenHash}`) ?? Number.NEGATIVE_INFINITY;
  return now - last < forgottenAfterMs;
}
