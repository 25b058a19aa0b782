import { accountFailures as words } from "~/content/account";
import type { Failure } from "~/features/auth/refusals/auth-errors.server";
import {
  giveTriesBack,
  nextTryAt,
  type TryLimit,
  takeTry,
} from "~/features/auth/refusals/counted-tries.server";
import type { AppContext } from "~/http/app-context";
import { clockTimeOf } from "~/ui/dates";

/**
 * For codes of an app. Three of a million are right at a time, so whoever knows the password and tries
 * all 720 a day finds one with a chance of 0.2 % in a day, 6 % in a month and one half in eleven months.
 */
export const codeTries: TryLimit = { kind: "totp", most: 5, seconds: 10 * 60 };

/**
 * For recovery codes, in each network by itself. Ten codes of 120 bits are found by nobody, in however
 * many tries: this keeps a flood from the database, and must not keep the owner from their code.
 */
export const recoveryTries: TryLimit = { kind: "recovery", most: 10, seconds: 10 * 60 };

/** The auth server takes a code for up to a minute and a half, and as often as it comes. */
const usedCodes: TryLimit = { kind: "totp-used", most: 1, seconds: 2 * 60 };

const unavailable: Failure = { state: "failed", status: 503, message: words.unavailable };

/**
 * Counts a try before the code is looked at, whatever browser asks and however many at once. Answers
 * why it may not be made.
 */
export async function refuseTry(
  context: AppContext,
  subject: string,
  limit: TryLimit,
): Promise<Failure | undefined> {
  const taken = await takeTry(context, subject, limit);
  if (taken === "unknown") return unavailable;
  if (taken === "none left") return tooManyTries(await nextTryAt(context, subject, limit));
}

/**
 * Notes that an app's code is being used. Whoever looked over a shoulder comes with it again: that, and
 * the same code twice at the same moment, is refused. Answers the refusal.
 */
export async function refuseUsedCode(
  context: AppContext,
  userId: string,
  code: string,
): Promise<Failure | undefined> {
  const taken = await takeTry(context, `${userId} ${code}`, usedCodes);
  if (taken === "unknown") return unavailable;
  if (taken === "none left") return { state: "failed", status: 400, message: words.codeUsed };
}

/** A code that was wrong was not used: an app may show it some other day. */
export function returnCode(context: AppContext, userId: string, code: string): Promise<void> {
  return giveTriesBack(context, `${userId} ${code}`, usedCodes);
}

function tooManyTries(next: Date): Failure {
  const retryAfter = Math.max(1, Math.ceil((next.getTime() - Date.now()) / 1_000));
  const minutes = Math.ceil(retryAfter / 60);
  const message = words.tooManyTries
    .replace("{minutes}", minutes === 1 ? "1 minute" : `${minutes} minutes`)
    .replace("{time}", clockTimeOf(next));
  return { state: "failed", status: 429, message, retryAfter };
}
