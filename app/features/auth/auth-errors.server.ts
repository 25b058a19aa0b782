import {
  type AuthError,
  isAuthSessionMissingError,
  isAuthWeakPasswordError,
} from "@supabase/supabase-js";
import { signInFailures, weakPasswordReasons } from "~/content/sign-in-labels";
import { tooOften } from "~/http/rate-limit.server";
import { type Meaning, meaningOf } from "~/platform/auth-server/auth-refusals";
import { describeError, log } from "~/platform/log/log.server";
import { logOutage } from "./session/outage.server";
import { isOutage } from "./session/session.server";
import { notSignedIn, secondFactorDue } from "./session/sign-in-problems";

export type Failure = {
  state: "failed";
  status: 400 | 401 | 403 | 409 | 422 | 429 | 503;
  message: string;
  /** What is wrong with the input, as a list. */
  reasons?: readonly string[];
  /** After how many seconds another try may succeed. A 429 without it means one minute. */
  retryAfter?: number;
};

/** The answer for each meaning, except `typed`, and `account`, which would reveal that an account exists. */
const answers: Record<Exclude<Meaning, "typed" | "account">, Omit<Failure, "state">> = {
  closed: { status: 403, message: signInFailures.signUpClosed },
  weak: { status: 422, message: signInFailures.passwordWeak },
  same: { status: 422, message: signInFailures.passwordSame },
  factor: { status: 403, message: secondFactorDue },
  again: { status: 403, message: signInFailures.signInAgain },
  over: { status: 401, message: notSignedIn },
  often: { status: 429, message: tooOften },
  mail: { status: 503, message: signInFailures.mailUnavailable },
  text: { status: 503, message: signInFailures.textUnavailable },
  off: { status: 503, message: signInFailures.notOffered },
  fault: { status: 503, message: signInFailures.fault },
};

/**
 * The answer to the visitor for an error of the auth server. The server's own message is only logged.
 * `otherwise` is the sentence for wrong input; it is not used for an error that we do not know.
 */
export function failureOf(error: AuthError, otherwise: string): Failure {
  if (isOutage(error)) {
    logOutage(error);
    return { state: "failed", status: 503, message: signInFailures.unavailable };
  }
  const meaning = isAuthSessionMissingError(error) ? "over" : meaningOf(error);
  logRefusal(error, meaning);
  if (meaning === "typed" || meaning === "account") {
    return { state: "failed", status: 400, message: otherwise };
  }
  const answer = answers[meaning ?? "fault"];
  if (!isAuthWeakPasswordError(error)) return { state: "failed", ...answer };
  return { state: "failed", ...answer, reasons: reasonsOf(error) };
}

/**
 * As `failureOf`, for a form that sends a mail or a text message. Undefined when the answer would reveal whether
 * an account exists: the form then answers as for a success, and the owner of the address reads the rest in the mail.
 */
export function failureOfSending(error: AuthError, otherwise: string): Failure | undefined {
  const meaning = meaningOf(error);
  const revealsAccount =
    meaning === "account" || meaning === "closed" || error.code === "user_not_found";
  if (!revealsAccount) return failureOf(error, otherwise);
  logRefusal(error, meaning);
}

/** Logs a refusal: as a warning when the visitor caused it, as an error when it is a fault of ours. */
function logRefusal(error: AuthError, meaning: Meaning | undefined): void {
  const { status, code } = error;
  if (meaning === undefined || ["mail", "text", "off", "fault"].includes(meaning)) {
    const detail = { status, meaning: meaning ?? "unknown", ...describeError(error) };
    log.error("The auth server refused what it should not", detail);
  } else {
    log.warn("The auth server refused", { status, code, meaning });
  }
}

function reasonsOf(error: { reasons: readonly string[]; message: string }): string[] {
  const least = /at least (\d{1,3}) characters/.exec(error.message)?.[1];
  const sentences = error.reasons.map((reason) => {
    if (reason === "length") return weakPasswordReasons.length.replace("{least}", least ?? "8");
    if (reason === "characters") return charactersNeeded(error.message);
    return reason === "pwned" ? weakPasswordReasons.pwned : weakPasswordReasons.other;
  });
  return sentences.length > 0 ? [...new Set(sentences)] : [weakPasswordReasons.other];
}

/** A sentence on the kinds of characters that a password needs. The server's message lists every character of each set. */
function charactersNeeded(message: string): string {
  const { characters, kinds } = weakPasswordReasons;
  const anyLetter = message.includes("zABC");
  const needed = [
    anyLetter && kinds.letter,
    !anyLetter && message.includes("abc") && kinds.small,
    !anyLetter && message.includes("ABC") && kinds.capital,
    message.includes("012") && kinds.digit,
    message.includes("!@#") && kinds.symbol,
  ].filter((kind) => kind !== false);
  if (needed.length === 0) return weakPasswordReasons.other;
  return characters.replace("{kinds}", new Intl.ListFormat("en-GB").format(needed));
}
