import { signInFailures as words } from "~/content/sign-in-labels";
import type { AppContext } from "~/http/app-context";
import { log } from "~/platform/log/log.server";
import { type AttemptLimit, resetAttempts } from "./attempt-limit.server";
import type { Failure } from "./auth-errors.server";
import { type Count, networkCounts, takeAttempts } from "./network-attempts.server";
import { refuseCountry } from "./phone-number.server";

const hour = 60 * 60;
const day = 24 * hour;

/** For one network, whoever asks in it: each text costs, and the auth server limits them only by number. */
const textsFromOne: AttemptLimit = { kind: "text-from", maxAttempts: 10, seconds: hour };
const textsFromPrefix48: AttemptLimit = { kind: "text-from", maxAttempts: 30, seconds: hour };
/** For one person, whatever numbers they name. */
const textsOfOne: AttemptLimit = { kind: "text-of", maxAttempts: 6, seconds: hour };
/** New numbers of one person: nobody changes theirs so often, and a program that earns by texts does nothing else. */
const newNumbersOfOne: AttemptLimit = { kind: "text-new-of", maxAttempts: 5, seconds: day };
/**
 * For one number that is not proved yet, whoever names it: nobody fills a stranger's telephone. A number that is a second
 * factor already is not counted so, or else any stranger could keep its owner out.
 */
const textsToNewNumber: AttemptLimit = { kind: "text-new-to", maxAttempts: 5, seconds: day };
/** For one number that is to sign in, from one line: no stranger uses up what its owner may ask for elsewhere. */
const signInTextsFromOne: AttemptLimit = {
  kind: "text-sign-in-from-one",
  maxAttempts: 3,
  seconds: hour,
};
/** The same from all together, until somebody proves by a right code that the telephone is theirs. */
const signInTextsToOne: AttemptLimit = { kind: "text-sign-in-to", maxAttempts: 5, seconds: day };

/**
 * Counts a text message to somebody who is signed in, before the auth server is asked to send it. Returns a refusal if
 * there were too many, or if none goes to that country. `isNew`: the number was not proved to be theirs yet.
 */
export async function refuseText(
  context: AppContext,
  { person, phone, isNew }: { person: string; phone: string; isNew: boolean },
): Promise<Failure | undefined> {
  const { counts } = networkCounts(context, textsFromOne, textsFromPrefix48);
  const ofNew: Count[] = [
    [person, newNumbersOfOne],
    [phone, textsToNewNumber],
  ];
  const refusal = isNew ? refuseCountry(context.configuration, phone) : undefined;
  return (
    refusal ??
    (await refuseOver(context, [...counts, [person, textsOfOne], ...(isNew ? ofNew : [])]))
  );
}

/**
 * The same for a text whose code is to sign somebody in, whom nobody knows yet. Whether the number is of an account makes
 * no difference.
 */
export async function refuseSignInText(
  context: AppContext,
  phone: string,
): Promise<Failure | undefined> {
  const { counts, line } = networkCounts(context, textsFromOne, textsFromPrefix48);
  return refuseOver(context, [
    ...counts,
    [`${line} ${phone}`, signInTextsFromOne],
    [phone, signInTextsToOne],
  ]);
}

/** Call it after a right code: the number is proved, and its owner may ask for the next codes. */
export function forgetSignInTexts(context: AppContext, phone: string): Promise<void> {
  return resetAttempts(context, phone, signInTextsToOne);
}

async function refuseOver(
  context: AppContext,
  counts: readonly Count[],
): Promise<Failure | undefined> {
  const exceeded = await takeAttempts(context, counts);
  if (!exceeded) return;
  if (exceeded === "unknown") return { state: "failed", status: 503, message: words.unavailable };
  const { kind, seconds } = exceeded;
  log.warn("A text was not asked for: too many", { limit: kind });
  const toOne = exceeded === signInTextsFromOne || exceeded === signInTextsToOne;
  const ofTime = seconds === day ? words.textsInDay : words.textsInHour;
  const message = toOne ? words.textsToNumber : ofTime;
  return { state: "failed", status: 429, message, retryAfter: seconds };
}
