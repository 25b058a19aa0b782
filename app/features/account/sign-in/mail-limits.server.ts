import { challengeWords } from "~/content/challenge";
import { signInFailures } from "~/content/sign-in-labels";
import type { Failure } from "~/features/auth/auth-errors.server";
import { refuseMachines } from "~/features/auth/challenge.server";
import { type TryLimit, takeTry } from "~/features/auth/guessing.server";
import { refuseCountry } from "~/features/auth/phone-number.server";
import type { AppContext } from "~/http/app-context";
import { networkOf, prefix48Of } from "~/http/network";
import { log } from "~/platform/log/log.server";
import { accountName } from "./mailed-code.server";
import type { Intent } from "./sign-in-request.server";

const hour = 60 * 60;

/** For one network. The auth server has one limit for the whole site, and a single stranger must not use it up. */
const mailsFromOne: TryLimit = { kind: "mail-from", maxTries: 20, seconds: hour };
/** For one /48 of IPv6, since a provider may give all of it to one customer. */
const mailsFromPrefix48: TryLimit = { kind: "mail-from", maxTries: 60, seconds: hour };

/**
 * What a mail or text message is for: signing in, or confirming an address. The two are counted apart. A confirmation
 * is counted even if it is not sent, as to an address that has an account already. So a stranger who asks for many of
 * them must not use up the sign-in mails of the account's owner.
 */
type MailPurpose = "sign-in" | "confirmation";

/**
 * The limits for one recipient: for all networks together, so that strangers cannot fill an inbox, and for each
 * network, so that no network uses up all that may be sent to the recipient.
 */
const mailsToOne: Record<MailPurpose, { fromAll: TryLimit; fromOne: TryLimit }> = {
  "sign-in": {
    fromAll: { kind: "mail", maxTries: 5, seconds: hour },
    fromOne: { kind: "mail-from-one", maxTries: 3, seconds: hour },
  },
  confirmation: {
    fromAll: { kind: "confirmation", maxTries: 5, seconds: hour },
    fromOne: { kind: "confirmation-from-one", maxTries: 3, seconds: hour },
  },
};

/** The intents that send a mail or text message. */
const purposes: ReadonlyMap<Intent, MailPurpose> = new Map([
  ["sign_up", "confirmation"],
  ["resend_confirmation", "confirmation"],
  ["forgotten_password", "sign-in"],
  ["magic_link", "sign-in"],
  ["phone_code", "sign-in"],
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
  const purpose = purposes.get(intent);
  if (!purpose) return;
  const elsewhere = intent === "phone_code" ? refuseCountry(context.configuration, to) : undefined;
  if (elsewhere) return elsewhere;
  const refusal = await refuseMachines(context, request, form, intent);
  if (refusal) {
    const message = `${refusal.message} ${challengeWords.signInOtherwise}`;
    return { state: "failed", status: refusal.status, message };
  }
  return countMail(context, request, { to, purpose });
}

/**
 * Counts a mail or text message before the auth server is asked to send it. Returns a refusal if there were too many.
 * The network is counted first, so that a network that is refused does not use up what may be sent to the recipient.
 */
export async function countMail(
  context: AppContext,
  request: Request,
  { to, purpose }: { to: string; purpose: MailPurpose },
): Promise<Failure | undefined> {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  const { mailsFromNetwork, mailsToOneFromNetwork, mailsToOne: toOne } = signInFailures;
  const network = networkOf(address);
  const prefix48 = prefix48Of(address);
  const name = accountName(to);
  const { fromAll, fromOne } = mailsToOne[purpose];
  return (
    (await refuse(context, network, mailsFromOne, mailsFromNetwork)) ??
    (prefix48 ? await refuse(context, prefix48, mailsFromPrefix48, mailsFromNetwork) : undefined) ??
    (await refuse(context, `${prefix48 ?? network} ${name}`, fromOne, mailsToOneFromNetwork)) ??
    (await refuse(context, name, fromAll, toOne))
  );
}

async function refuse(
  context: AppContext,
  subject: string,
  limit: TryLimit,
  message: string,
): Promise<Failure | undefined> {
  switch (await takeTry(context, subject, limit)) {
    case "taken":
      return;
    case "none left":
      log.warn("A mail was not asked for: too many in an hour", {
        limit: limit.kind,
      });
      return { state: "failed", status: 429, message, retryAfter: limit.seconds };
    case "unknown":
      return { state: "failed", status: 503, message: signInFailures.unavailable };
  }
}
