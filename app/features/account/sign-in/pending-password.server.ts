import type { User } from "@supabase/supabase-js";
import type { AppContext } from "~/http/app-context";
import { siteCookies } from "~/http/cookies";
import { signedCookie } from "~/http/cookies.server";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

function recoveryCookie(configuration: Configuration) {
  return signedCookie(configuration, "password-recovery");
}

/** The Set-Cookie header that lets this person choose a new password without the old one, for 15 minutes. */
export function allowNewPassword(configuration: Configuration, userId: string): Promise<string> {
  const until = Date.now() + siteCookies["password-recovery"] * 1000;
  return recoveryCookie(configuration).serialize({ userId, until });
}

/**
 * The id of the person who may choose a new password in this browser, because they have just proved by mail that the
 * account is theirs. A session alone is not enough.
 */
export async function mayChoosePassword(
  configuration: Configuration,
  request: Request,
): Promise<string | undefined> {
  const stored: unknown = await recoveryCookie(configuration).parse(request.headers.get("cookie"));
  if (typeof stored !== "object" || stored === null || !("userId" in stored && "until" in stored))
    return;
  if (typeof stored.userId !== "string" || typeof stored.until !== "number") return;
  return stored.until > Date.now() ? stored.userId : undefined;
}

/**
 * Call it before another link is mailed to an address, also at a repeated sign-up. If the address was never
 * confirmed, its password stops working, because somebody else may have chosen it. A confirmed account is not
 * changed. False if the database did not answer: then no link may be sent. With `signingUp` the person expects the
 * password that they have just typed to work, so they are asked to choose it again when they arrive.
 */
export async function voidUnconfirmedPassword(
  { configuration }: AppContext,
  address: string,
  { signingUp = false } = {},
): Promise<boolean> {
  const { error } = await serviceClient(configuration).rpc("void_unconfirmed_password", {
    address,
    signing_up: signingUp,
  });
  if (error) log.error("A password was not voided", describeError(error));
  return !error;
}

/** Whether a second sign-up before confirming voided the password, and the user was not notified of it yet. */
export function hasVoidedPassword({ app_metadata }: User): boolean {
  return app_metadata.password_voided === true;
}

/** Records that the user was notified. If the database does not answer, they are notified once more. */
export async function forgetVoidedPassword(
  { configuration }: AppContext,
  person: string,
): Promise<void> {
  const { error } = await serviceClient(configuration).rpc("forget_voided_password", { person });
  if (error) log.error("A voided password was not forgotten", describeError(error));
}
