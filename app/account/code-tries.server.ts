import type { Failure } from "~/auth/auth-errors.server";
import { giveTriesBack, nextTryAt, type TryLimit, takeTry } from "~/auth/counted-tries.server";
import { accountFailures as words } from "~/content/account";
import type { RequestContext } from "~/request/request-context";

/** Five tries in ten minutes guess one code of a million, three of which are right at a time, in years. */
export const codeTries: TryLimit = { kind: "totp", most: 5, seconds: 10 * 60 };

/** The auth server takes a code for up to a minute and a half, and as often as it comes. */
const usedCodes: TryLimit = { kind: "totp-used", most: 1, seconds: 2 * 60 };

const unavailable: Failure = { state: "failed", status: 503, message: words.unavailable };

/**
 * Counts a try of a second factor or of a recovery code against the account, before the code is looked
 * at: whatever browser or address asks, and however many at once. Answers why it may not be made.
 */
export async function refuseTry(
  context: RequestContext,
  userId: string,
): Promise<Failure | undefined> {
  const taken = await takeTry(context, userId, codeTries);
  if (taken === "unknown") return unavailable;
  if (taken === "none left") return tooManyTries(await nextTryAt(context, userId, codeTries));
}

/**
 * Notes that an app's code is being used. Whoever looked over a shoulder comes with it again: that, and
 * the same code twice at the same moment, is refused. Answers the refusal.
 */
export async function refuseUsedCode(
  context: RequestContext,
  userId: string,
  code: string,
): Promise<Failure | undefined> {
  const taken = await takeTry(context, `${userId} ${code}`, usedCodes);
  if (taken === "unknown") return unavailable;
  if (taken === "none left") return { state: "failed", status: 400, message: words.codeUsed };
}

/** A code that was wrong was not used: an app may show it some other day. */
export function returnCode(context: RequestContext, userId: string, code: string): Promise<void> {
  return giveTriesBack(context, `${userId} ${code}`, usedCodes);
}

function tooManyTries(next: Date): Failure {
  const retryAfter = Math.max(1, Math.ceil((next.getTime() - Date.now()) / 1_000));
  const minutes = Math.ceil(retryAfter / 60);
  const message = words.tooManyTries
    .replace("{minutes}", minutes === 1 ? "1 minute" : `${minutes} minutes`)
    .replace("{time}", next.toLocaleTimeString("en-US", { timeStyle: "short", timeZone: "UTC" }));
  return { state: "failed", status: 429, message, retryAfter };
}
