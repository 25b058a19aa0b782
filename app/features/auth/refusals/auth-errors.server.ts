import {
  type AuthError,
  isAuthSessionMissingError,
  isAuthWeakPasswordError,
} from "@supabase/supabase-js";
import { signInFailures, weakPasswordReasons } from "~/content/sign-in-labels";
import { tooOften } from "~/http/limits/too-often";
import { type Meaning, meaningOf } from "~/platform/auth-server/auth-refusals";
import { describeError, log } from "~/platform/log/log.server";
import { logOutage } from "../session/outage.server";
import { isOutage } from "../session/session.server";
import { notSignedIn, secondFactorDue } from "../session/sign-in-problems";

export type Failure = {
  state: "failed";
  status: 400 | 401 | 403 | 409 | 422 | 429 | 503;
  message: string;
  /** What to do better, as a list. */
  reasons?: readonly string[];
  /** In how many seconds it is worth another try; without it a minute, for a 429. */
  retryAfter?: number;
};

/** What each meaning comes to, but for `typed` and what would tell of an account. */
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
 * What an error of the auth server means to whoever asked; its own words are for the log. `otherwise`
 * is said where what was typed does not fit, and never for a refusal that we do not know.
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
 * The same for a form that has something mailed or texted. Undefined where the answer would tell that
 * an account exists, or that it does not: it is then answered like a success, and the mail says the
 * rest to whoever owns the address.
 */
export function failureOfSending(error: AuthError, otherwise: string): Failure | undefined {
  const meaning = meaningOf(error);
  const tells = meaning === "account" || meaning === "closed" || error.code === "user_not_found";
  if (!tells) return failureOf(error, otherwise);
  logRefusal(error, meaning);
}

/** One line for each refusal: the visitor's are worth counting, ours are worth waking somebody up. */
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

/** The server lists the sets of characters that it asks for, each in full. */
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
