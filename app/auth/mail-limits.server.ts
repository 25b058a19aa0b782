import { refuseMachines } from "~/challenge/challenge.server";
import { challengeWords } from "~/content/challenge";
import { signInFailures } from "~/content/sign-in-labels";
import { log } from "~/observability/log.server";
import { networkOf, prefix48Of } from "~/request/rate-limit.server";
import type { RequestContext } from "~/request/request-context";
import type { Failure } from "./auth-errors.server";
import { accountName } from "./code-request.server";
import { type TryLimit, takeTry } from "./counted-tries.server";
import type { Intent } from "./sign-in-request.server";

const hour = 60 * 60;

/** Nobody's inbox is filled by strangers. */
const mailsToOne: TryLimit = { kind: "mail", most: 5, seconds: hour };
/** The auth server has one limit for the whole site: a single stranger must not use it up. */
const mailsFromOne: TryLimit = { kind: "mail-from", most: 20, seconds: hour };
/** Of IPv6 one customer may have a whole /48. */
const mailsFromPrefix48: TryLimit = { kind: "mail-from", most: 60, seconds: hour };

/** What sends a mail or a text. */
const mails: ReadonlySet<Intent> = new Set([
  "sign_up",
  "resend_confirmation",
  "forgotten_password",
  "magic_link",
  "phone_code",
]);

/**
 * Why the auth server is not asked to send a mail or a text: a machine asks for it, or too much went
 * to whom it is for or was asked for by the network that asks. Whether the account exists makes no
 * difference. What sends nothing is not refused.
 */
export async function refuseToMail(
  context: RequestContext,
  request: Request,
  form: URLSearchParams,
  { intent, to }: { intent: Intent; to: string },
): Promise<Failure | undefined> {
  if (!mails.has(intent)) return;
  const refusal = await refuseMachines(context, request, form, intent);
  if (refusal) {
    const message = `${refusal.message} ${challengeWords.signInOtherwise}`;
    return { state: "failed", status: refusal.status, message };
  }
  return countMail(context, request, to);
}

/** Counts a mail or text before it is asked for. Answers why it may not be. */
export async function countMail(
  context: RequestContext,
  request: Request,
  to: string,
): Promise<Failure | undefined> {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  const { mailsFromNetwork } = signInFailures;
  const prefix48 = prefix48Of(address);
  return (
    (await refuse(context, networkOf(address), mailsFromOne, mailsFromNetwork)) ??
    (prefix48 ? await refuse(context, prefix48, mailsFromPrefix48, mailsFromNetwork) : undefined) ??
    (await refuse(context, accountName(to), mailsToOne, signInFailures.mailsToOne))
  );
}

async function refuse(
  context: RequestContext,
  subject: string,
  limit: TryLimit,
  message: string,
): Promise<Failure | undefined> {
  switch (await takeTry(context, subject, limit)) {
    case "taken":
      return;
    case "none left":
      log.warn("A mail was not asked for: too many in an hour", {
        requestId: context.requestId,
        limit: limit.kind,
      });
      return { state: "failed", status: 429, message, retryAfter: limit.seconds };
    case "unknown":
      return { state: "failed", status: 503, message: signInFailures.unavailable };
  }
}
