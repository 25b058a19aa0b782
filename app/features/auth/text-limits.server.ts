import { signInFailures as words } from "~/content/sign-in-labels";
import type { AppContext } from "~/http/app-context";
import { networkOf, prefix48Of } from "~/http/network";
import { log } from "~/platform/log/log.server";
import type { Failure } from "./auth-errors.server";
import { type TryLimit, takeTry } from "./guessing.server";
import { refuseCountry } from "./phone-number.server";

const hour = 60 * 60;
const day = 24 * hour;

/** For one network, whoever asks in it: each text costs, and the auth server limits them only by number. */
const textsFromOne: TryLimit = { kind: "text-from", maxTries: 10, seconds: hour };
/** For one /48 of IPv6, since a provider may give all of it to one customer. */
const textsFromPrefix48: TryLimit = { kind: "text-from", maxTries: 30, seconds: hour };
/** For one person, whatever numbers they name. */
const textsOfOne: TryLimit = { kind: "text-of", maxTries: 6, seconds: hour };
/** New numbers of one person: nobody changes theirs so often, and a program that earns by texts does nothing else. */
const newNumbersOfOne: TryLimit = { kind: "text-new-of", maxTries: 5, seconds: day };
/**
 * For one number that is not proved yet, whoever names it: nobody fills a stranger's telephone. A number that is a second
 * factor already is not counted so, or else any stranger could keep its owner out.
 */
const textsToNewNumber: TryLimit = { kind: "text-new-to", maxTries: 5, seconds: day };

/**
 * Counts a text message to somebody who is signed in, before the auth server is asked to send it. Returns a refusal if
 * there were too many, or if none goes to that country. `isNew`: the number was not proved to be theirs yet.
 */
export async function refuseText(
  context: AppContext,
  request: Request,
  { person, phone, isNew }: { person: string; phone: string; isNew: boolean },
): Promise<Failure | undefined> {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  const prefix48 = prefix48Of(address);
  const counted: [subject: string, limit: TryLimit][] = [
    [networkOf(address), textsFromOne],
    ...(prefix48 ? [[prefix48, textsFromPrefix48] as [string, TryLimit]] : []),
    [person, textsOfOne],
    ...(isNew
      ? ([
          [person, newNumbersOfOne],
          [phone, textsToNewNumber],
        ] as [string, TryLimit][])
      : []),
  ];
  const refusal = isNew ? refuseCountry(context.configuration, phone) : undefined;
  if (refusal) return refusal;
  for (const [subject, limit] of counted) {
    const attempt = await takeTry(context, subject, limit);
    if (attempt === "unknown") return { state: "failed", status: 503, message: words.unavailable };
    if (attempt === "taken") continue;
    log.warn("A text was not asked for: too many", { limit: limit.kind });
    const message = limit.seconds === day ? words.textsInDay : words.textsInHour;
    return { state: "failed", status: 429, message, retryAfter: limit.seconds };
  }
}
