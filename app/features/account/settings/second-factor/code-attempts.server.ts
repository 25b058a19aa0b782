import { accountFailures as words } from "~/content/account";
import {
  type AttemptLimit,
  nextAttemptAt,
  resetAttempts,
  takeAttempt,
} from "~/features/auth/attempt-limit.server";
import type { Failure } from "~/features/auth/auth-errors.server";
import type { AppContext } from "~/http/app-context";
import { clockTimeOf } from "~/ui/dates";

/**
 * The limit for codes of an authenticator app. Three of a million codes are valid at a time. Somebody who knows
 * the password and makes all 720 attempts of a day guesses one with a chance of 0.2 % in a day and 6 % in a month.
 */
export const codeAttempts: AttemptLimit = { kind: "totp", maxAttempts: 5, seconds: 10 * 60 };

/**
 * The limit for recovery codes, counted for each network. Nobody can guess a code of 120 bits, in however many
 * attempts. The limit protects the database, and must not lock the owner out because of attempts from elsewhere.
 */
export const recoveryAttempts: AttemptLimit = {
  kind: "recovery",
  maxAttempts: 10,
  seconds: 10 * 60,
};

/** Each code counts once. The auth server alone would accept it repeatedly for up to a minute and a half. */
const usedCodes: AttemptLimit = { kind: "totp-used", maxAttempts: 1, seconds: 2 * 60 };

const unavailable: Failure = { state: "failed", status: 503, message: words.unavailable };

/** Counts an attempt, in any browser, before the code is checked. Returns a refusal when there were too many. */
export async function refuseAttempt(
  context: AppContext,
  subject: string,
  limit: AttemptLimit,
): Promise<Failure | undefined> {
  const attempt = await takeAttempt(context, subject, limit);
  if (attempt === "unknown") return unavailable;
  if (attempt === "none left") return tooManyAttempts(await nextAttemptAt(context, subject, limit));
}

/**
 * Notes that an app's code is being used. Returns a refusal when it was used already, as by somebody who looked
 * over the owner's shoulder, or in another request at the same moment.
 */
export async function refuseUsedCode(
  context: AppContext,
  userId: string,
  code: string,
): Promise<Failure | undefined> {
  const attempt = await takeAttempt(context, `${userId} ${code}`, usedCodes);
  if (attempt === "unknown") return unavailable;
  if (attempt === "none left") return { state: "failed", status: 400, message: words.codeUsed };
}

/** Takes the note back for a wrong code, because the app may show the same digits later. */
export function returnCode(context: AppContext, userId: string, code: string): Promise<void> {
  return resetAttempts(context, `${userId} ${code}`, usedCodes);
}

function tooManyAttempts(next: Date): Failure {
  const retryAfter = Math.max(1, Math.ceil((next.getTime() - Date.now()) / 1_000));
  const minutes = Math.ceil(retryAfter / 60);
  const message = words.tooManyAttempts
    .replace("{minutes}", minutes === 1 ? "1 minute" : `${minutes} minutes`)
    .replace("{time}", clockTimeOf(next));
  return { state: "failed", status: 429, message, retryAfter };
}
