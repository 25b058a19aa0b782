import { signedCookie } from "~/http/cookies/signed-cookie.server";
import type { Configuration } from "~/platform/env/configuration.server";

function usedLinkCookie(configuration: Configuration) {
  return signedCookie(configuration, "used-link");
}

/** The header that lets this browser know a link again that has just signed somebody in here. */
export function rememberUsedLink(
  configuration: Configuration,
  tokenHash: string,
  userId: string,
): Promise<string> {
  return usedLinkCookie(configuration).serialize({ tokenHash, userId });
}

/** Whether this link has just signed this person in, in this browser: then a second press is no fault. */
export async function hasJustWorked(
  configuration: Configuration,
  request: Request,
  tokenHash: string,
  userId: string,
): Promise<boolean> {
  const kept: unknown = await usedLinkCookie(configuration).parse(request.headers.get("cookie"));
  if (typeof kept !== "object" || kept === null || !("tokenHash" in kept && "userId" in kept)) {
    return false;
  }
  return kept.tokenHash === tokenHash && kept.userId === userId;
}
