import { type AuthError, isAuthWeakPasswordError } from "@supabase/supabase-js";
import { signInFailures, weakPasswordReasons } from "~/content/sign-in-labels";
import { describeError, log } from "~/observability/log.server";
import { tooOften } from "~/request/too-often";
import { isOutage } from "./session.server";
import { secondFactorDue } from "./sign-in-problems";

export type Failure = {
  state: "failed";
  status: 400 | 401 | 403 | 422 | 429 | 503;
  message: string;
  /** What to do better, as a list. */
  reasons?: readonly string[];
};

/** What an error of the auth server means to whoever asked; its own words are for the log. */
export function failureOf(error: AuthError, requestId: string, otherwise: string): Failure {
  if (isAuthWeakPasswordError(error)) {
    return {
      state: "failed",
      status: 422,
      message: signInFailures.passwordWeak,
      reasons: reasonsOf(error),
    };
  }
  if (isOutage(error)) {
    log.error("The auth server did not answer", { requestId, ...describeError(error) });
    return { state: "failed", status: 503, message: signInFailures.unavailable };
  }
  if (error.code === "same_password") {
    return { state: "failed", status: 422, message: signInFailures.passwordSame };
  }
  if (error.code === "insufficient_aal") {
    return { state: "failed", status: 403, message: secondFactorDue };
  }
  if (error.status === 429) return { state: "failed", status: 429, message: tooOften };
  return { state: "failed", status: 400, message: otherwise };
}

/**
 * Whether an error would tell that an account exists, or that it does not. Such an error is answered
 * like a success: the mail says the rest to whoever owns the address.
 */
export function tellsOfAccount(error: AuthError): boolean {
  return telling.has(error.code ?? "");
}

const telling = new Set([
  "over_email_send_rate_limit",
  "over_sms_send_rate_limit",
  "user_already_exists",
  "email_exists",
  "phone_exists",
  "user_not_found",
  "user_banned",
  "otp_disabled",
]);

function reasonsOf(error: { reasons: readonly string[]; message: string }): string[] {
  const least = /at least (\d{1,3}) characters/.exec(error.message)?.[1];
  const sentences = error.reasons.map((reason) => {
    if (reason === "length") return weakPasswordReasons.length.replace("{least}", least ?? "8");
    return reason === "characters" || reason === "pwned"
      ? weakPasswordReasons[reason]
      : weakPasswordReasons.other;
  });
  return sentences.length > 0 ? [...new Set(sentences)] : [weakPasswordReasons.other];
}
