import type { Failure } from "~/auth/auth-errors.server";
import { accountFailures as words } from "~/content/account";
import { type ServiceClient, serviceClient } from "~/database/service-client.server";
import { describeError, log } from "~/observability/log.server";
import type { RequestContext } from "~/request/request-context";

/** Five tries in ten minutes guess one code of a million, three of which are right at a time, in years. */
const tries = { try_kind: "totp", most: 5, window_seconds: 10 * 60 };

/** The auth server takes a code for up to a minute and a half, and as often as it comes. */
const used = { try_kind: "totp-used", most: 1, window_seconds: 2 * 60 };

/**
 * Counts a try of a second factor or of a recovery code against the account, before the code is looked
 * at: whatever browser or address asks, and however many at once. Answers why it may not be made.
 */
export async function takeTry(
  context: RequestContext,
  userId: string,
): Promise<Failure | undefined> {
  const database = serviceClient(context.configuration);
  const { data: taken, error } = await database.rpc("take_code_try", { subject: userId, ...tries });
  if (error) return unavailable(context, error);
  if (taken) return;
  return tooManyTries(database, userId);
}

/** After a right code the account has all its tries again. */
export async function forgetTries(context: RequestContext, userId: string): Promise<void> {
  const { error } = await serviceClient(context.configuration).rpc("forget_code_tries", {
    subject: userId,
    try_kind: tries.try_kind,
  });
  if (error) logged(context, error);
}

/**
 * Notes that an app's code is being used. Whoever looked over a shoulder comes with it again: that, and
 * the same code twice at the same moment, is refused. Answers the refusal.
 */
export async function takeAppCode(
  context: RequestContext,
  userId: string,
  code: string,
): Promise<Failure | undefined> {
  const { data: taken, error } = await serviceClient(context.configuration).rpc("take_code_try", {
    subject: `${userId} ${code}`,
    ...used,
  });
  if (error) return unavailable(context, error);
  return taken ? undefined : { state: "failed", status: 400, message: words.codeUsed };
}

/** A code that was wrong was not used: an app may show it some other day. */
export async function returnAppCode(
  context: RequestContext,
  userId: string,
  code: string,
): Promise<void> {
  const { error } = await serviceClient(context.configuration).rpc("forget_code_tries", {
    subject: `${userId} ${code}`,
    try_kind: used.try_kind,
  });
  if (error) logged(context, error);
}

async function tooManyTries(database: ServiceClient, userId: string): Promise<Failure> {
  const { data } = await database.rpc("next_code_try", { subject: userId, ...tries });
  const next = new Date(data ?? Date.now());
  const retryAfter = Math.max(1, Math.ceil((next.getTime() - Date.now()) / 1_000));
  const minutes = Math.ceil(retryAfter / 60);
  const message = words.tooManyTries
    .replace("{minutes}", minutes === 1 ? "1 minute" : `${minutes} minutes`)
    .replace("{time}", next.toLocaleTimeString("en-US", { timeStyle: "short", timeZone: "UTC" }));
  return { state: "failed", status: 429, message, retryAfter };
}

function unavailable(context: RequestContext, error: unknown): Failure {
  logged(context, error);
  return { state: "failed", status: 503, message: words.unavailable };
}

function logged({ requestId }: RequestContext, error: unknown): void {
  log.error("The tries of a code were not counted", { requestId, ...describeError(error) });
}
