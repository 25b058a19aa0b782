import { challengeWords } from "~/content/challenge";
import { signInFailures as words } from "~/content/sign-in-labels";
import type { AttemptLimit } from "~/features/auth/attempt-limit.server";
import type { Failure } from "~/features/auth/auth-errors.server";
import { refuseMachines } from "~/features/auth/challenge.server";
import { networkCounts, takeAttempts } from "~/features/auth/network-attempts.server";
import { refuseCountry } from "~/features/auth/phone-number.server";
import { refuseSignInText } from "~/features/auth/text-limits.server";
import type { AppContext } from "~/http/app-context";
import { log } from "~/platform/log/log.server";
import { accountName } from "./mailed-code.server";
import type { Intent } from "./sign-in-request.server";

const hour = 60 * 60;

/** For one network. The auth server has one limit for the whole site, and a single stranger must not use it up. */
const mailsFromOne: AttemptLimit = { kind: "mail-from", maxAttempts: 20, seconds: hour };
const mailsFromPrefix48: AttemptLimit = { kind: "mail-from", maxAttempts: 60, seconds: hour };

/**
 * What a mail is for: signing in, or confirming an address. The two are counted apart. A confirmation
 * is counted even if it is not sent, as to an address that has an account already. So a stranger who asks for many of
 * them must not use up the sign-in mails of the account's owner.
 */
type MailPurpose = "sign-in" | "confirmation";

/**
 * The limits for one recipient: for all networks together, so that strangers cannot fill an inbox, and for each
 * network, so that no network uses up all that may be sent to the recipient.
 */
const mailsToOne: Record<MailPurpose, { fromAll: AttemptLimit; fromOne: AttemptLimit }> = {
  "sign-in": {
    fromAll: { kind: "mail", maxAttempts: 5, seconds: hour },
    fromOne: { kind: "mail-from-one", maxAttempts: 3, seconds: hour },
  },
  confirmation: {
    fromAll: { kind: "confirmation", maxAttempts: 5, seconds: hour },
    fromOne: { kind: "confirmation-from-one", maxAttempts: 3, seconds: hour },
  },
};

/** The intents that send a mail. */
const purposes: ReadonlyMap<Intent, MailPurpose> = new Map([
  ["sign_up", "confirmation"],
  ["resend_confirmation", "confirmation"],
  ["forgotten_password", "sign-in"],
  ["magic_link", "sign-in"],
]);

/**
 * Refuses to send a mail or text message if a machine asks for it, or if too many were asked for, by this network or
 * for this recipient. Whether the account exists makes no difference. Undefined if the message may be sent, and for
 * intents that send none.
 */
export async function refuseToMail(
  context: AppContext,
  request: Request,
  form: URLSearchParams,
  { intent, to }: { intent: Intent; to: string },
): Promise<Failure | undefined> {
  const byText = intent === "phone_code";
  const purpose = purposes.get(intent);
  if (!purpose && !byText) return;
  const elsewhere = byText ? refuseCountry(context.configuration, to) : undefined;
  if (elsewhere) return elsewhere;
  const refusal = await refuseMachines(context, request, form, intent);
  if (refusal) {
    const message = `${refusal.message} ${challengeWords.signInOtherwise}`;
    return { state: "failed", status: refusal.status, message };
  }
  return purpose ? countMail(context, { to, purpose }) : refuseSignInText(context, to);
}

/**
 * Counts a mail before the auth server is asked to send it. Returns a refusal if there were too many. The network is
 * counted first, so that a network that is refused does not use up what may be sent to the recipient.
 */
export async function countMail(
  context: AppContext,
  { to, purpose }: { to: string; purpose: MailPurpose },
): Promise<Failure | undefined> {
  const { mailsFromNetwork, mailsToOneFromNetwork, mailsToOne: toOne } = words;
  const { counts, line } = networkCounts(context, mailsFromOne, mailsFromPrefix48);
  const name = accountName(to);
  const { fromAll, fromOne } = mailsToOne[purpose];
  const exceeded = await takeAttempts(context, [
    ...counts,
    [`${line} ${name}`, fromOne],
    [name, fromAll],
  ]);
  if (!exceeded) return;
  if (exceeded === "unknown") return { state: "failed", status: 503, message: words.unavailable };
  log.warn("A mail was not asked for: too many in an hour", { limit: exceeded.kind });
  const message =
    exceeded === fromAll ? toOne : exceeded === fromOne ? mailsToOneFromNetwork : mailsFromNetwork;
  return { state: "failed", status: 429, message, retryAfter: exceeded.seconds };
}
