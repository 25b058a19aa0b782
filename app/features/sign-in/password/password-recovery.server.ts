import { siteCookies } from "~/http/cookies";
import { signedCookie } from "~/http/cookies.server";
import type { Configuration } from "~/platform/env/configuration.server";

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
  const kept: unknown = await recoveryCookie(configuration).parse(request.headers.get("cookie"));
  if (typeof kept !== "object" || kept === null || !("userId" in kept && "until" in kept)) return;
  if (typeof kept.userId !== "string" || typeof kept.until !== "number") return;
  return kept.until > Date.now() ? kept.userId : undefined;
}
