import type { Configuration } from "~/configuration/configuration.server";
import { signedCookie } from "~/request/signed-cookie.server";

const validForSeconds = 15 * 60;

function recoveryCookie(configuration: Configuration) {
  // With script the page is also asked for as /signin.data.
  return signedCookie(configuration, "password-recovery", { path: "/", maxAge: validForSeconds });
}

/** The header that lets this person choose a new password without the old one, for 15 minutes. */
export function allowNewPassword(configuration: Configuration, userId: string): Promise<string> {
  const until = Date.now() + validForSeconds * 1000;
  return recoveryCookie(configuration).serialize({ userId, until });
}

/** Who has just proved by mail that the account is theirs; a session alone is not enough. */
export async function mayChoosePassword(
  configuration: Configuration,
  request: Request,
): Promise<string | undefined> {
  const kept: unknown = await recoveryCookie(configuration).parse(request.headers.get("cookie"));
  if (typeof kept !== "object" || kept === null || !("userId" in kept && "until" in kept)) return;
  if (typeof kept.userId !== "string" || typeof kept.until !== "number") return;
  return kept.until > Date.now() ? kept.userId : undefined;
}

/** A `Set-Cookie` value that ends the permission to choose a password. */
export function forgetRecovery(configuration: Configuration): Promise<string> {
  return recoveryCookie(configuration).serialize("", { maxAge: 0 });
}
