import { challengeWords } from "~/content/challenge";
import { signInFailures } from "~/content/sign-in-labels";
import { refuseMachines } from "~/features/auth/challenge/challenge.server";
import type { Failure } from "~/features/auth/refusals/auth-errors.server";
import { type TryLimit, takeTry } from "~/features/auth/refusals/counted-tries.server";
import type { AppContext } from "~/http/app-context";
import { networkOf, prefix48Of } from "~/http/limits/rate-limit.server";
import { log } from "~/platform/log/log.server";
import type { Intent } from "../sign-in-request.server";
import { accountName } from "./code-request.server";

const hour = 60 * 60;

/** The auth server has one limit for the whole site: a single stranger must not use it up. */
const mailsFromOne: TryLimit = { kind: "mail-from", most: 20, seconds: hour };
/** Of IPv6 one customer may have a whole /48. */
const mailsFromPrefix48: TryLimit = { kind: "mail-from", most: 60, seconds: hour };

/**
 * What a mail or text is for: letting the owner of an address in, or confirming an address. Each has
 * counts of its own: a confirmation may be asked for and not sent, as to an address that has an account,
 * so whoever asks for many in vain must not use up the links that the owner of the account signs in by.
 */
type MailPurpose = "sign-in" | "confirmation";

/** Nobody's inbox is filled by strangers, and no single network uses up what goes to one address. */
const mailsToOne: Record<MailPurpose, { fromAll: TryLimit; fromOne: TryLimit }> = {
  "sign-in": {
    fromAll: { kind: "mail", most: 5, seconds: hour },
    fromOne: { kind: "mail-from-one", most: 3, seconds: hour },
  },
  confirmation: {
    fromAll: { kind: "confirmation", most: 5, seconds: hour },
    fromOne: { kind: "confirmation-from-one", most: 3, seconds: hour },
  },
};

/** What sends a mail or a text. */
const purposes: ReadonlyMap<Intent, MailPurpose> = new Map([
  ["sign_up", "confirmation"],
  ["resend_confirmation", "confirmation"],
  ["forgotten_password", "sign-in"],
  ["magic_link", "sign-in"],
  ["phone_code", "sign-in"],
]);

/**
 * Why the auth server is not asked to send a mail or a text: a machine asks for it, or too much went
 * to whom it is for or was asked for by the network that asks. Whether the account exists makes no
 * difference. What sends nothing is not refused.
 */
export async function refuseToMail(
  context: AppContext,
  request: Request,
  form: URLSearchParams,
  { intent, to }: { intent: Intent; to: string },
): Promise<Failure | undefined> {
  const purpose = purposes.get(intent);
  if (!purpose) return;
  const refusal = await refuseMachines(context, request, form, intent);
  if (refusal) {
    const message = `${refusal.message} ${challengeWords.signInOtherwise}`;
    return { state: "failed", status: refusal.status, message };
  }
  return countMail(context, request, { to, purpose });
}

/**
 * Counts a mail or text before it is asked for, first where it is asked for: who is refused there spends
 * nothing of what may go to the address. Answers why it may not be asked for.
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
