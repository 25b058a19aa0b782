import type { User } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { signInFailures } from "~/content/sign-in-labels";
import {
  type AttemptLimit,
  resetAttempts,
  takeAttempt,
} from "~/features/auth/attempt-limit.server";
import type { Failure } from "~/features/auth/auth-errors.server";
import type { AppContext } from "~/http/app-context";
import { siteCookies } from "~/http/cookies";
import { sealedCookie } from "~/http/cookies.server";
import { log } from "~/platform/log/log.server";

const codeSeconds = siteCookies["code-request"];

/** The attempts for one recipient, in all browsers and for all codes together. */
const codeAttempts: AttemptLimit = { kind: "mailed-code", maxAttempts: 5, seconds: codeSeconds };

type MayTry = { ok: true; kind: CodeRequest["kind"] } | { ok: false; failure: Failure };

/**
 * Whether a typed code may be checked at the auth server. The auth server itself counts no attempts, and accepts a code
 * from any browser for as long as the link of the same mail works. Here a code is accepted only from the browser that
 * asked for it, within ten minutes, and five times for each recipient. Nothing of this depends on whether the account
 * exists.
 */
export async function mayTryCode(
  context: AppContext,
  request: Request,
  { to, kind }: { to: string; kind: CodeRequest["kind"] | undefined },
): Promise<MayTry> {
  const codeRequest = await codeRequestOf(context, request);
  const isForThis =
    codeRequest?.to === accountName(to) && codeRequest.kind === (kind ?? codeRequest.kind);
  if (!isForThis) return refused(400, signInFailures.codeElsewhere);
  switch (await takeAttempt(context, codeRequest.to, codeAttempts)) {
    case "taken":
      return { ok: true, kind: codeRequest.kind };
    case "none left":
      log.warn("No code of an account is tried any more");
      return refused(429, signInFailures.codeAttempts, codeSeconds);
    case "unknown":
      return refused(503, signInFailures.unavailable);
  }
}

function refused(status: Failure["status"], message: string, retryAfter?: number): MayTry {
  const failure: Failure = { state: "failed", status, message };
  return { ok: false, failure: retryAfter ? { ...failure, retryAfter } : failure };
}

type Arrival = (context: AppContext, user: User, next: string) => Promise<Response>;

/** The arrival after a right code: it also resets the count of attempts and forgets the code request. */
export function afterRightCode(to: string, arriving: Arrival): Arrival {
  return async (context, user, next) => {
    context.waitUntil(resetAttempts(context, accountName(to), codeAttempts));
    const response = await arriving(context, user, next);
    response.headers.append("set-cookie", forgetCodeRequest(context));
    return response;
  };
}

export type CodeRequest = {
  /** The address or number that the code went to, as `accountName` writes it. */
  to: string;
  kind: "email" | "recovery" | "phone";
};

const shape = z.object({ to: z.string(), kind: z.enum(["email", "recovery", "phone"]) });

/** An address or number in the one spelling by which it is counted and compared. */
export function accountName(to: string): string {
  return to.trim().toLowerCase();
}

/** It is encrypted, because it names an address that others who use this browser should not read. */
export function codeRequestCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie<CodeRequest>(context, "code-request", shape);
}

/** The Set-Cookie header that lets this browser use the code. */
export function rememberCodeRequest(
  context: AppContext,
  codeRequest: CodeRequest,
): Promise<string> {
  const to = accountName(codeRequest.to);
  return codeRequestCookie(context).keep({ to, kind: codeRequest.kind });
}

/** The code that this browser has asked for within the last ten minutes; undefined if it asked for none. */
export function codeRequestOf(
  context: AppContext,
  request: Request,
): Promise<CodeRequest | undefined> {
  return codeRequestCookie(context).read(request);
}

function forgetCodeRequest(context: AppContext): string {
  return codeRequestCookie(context).forget();
}
