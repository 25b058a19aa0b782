import { signedCookie } from "~/http/cookies.server";
import type { Configuration } from "~/platform/env/configuration.server";

function usedLinkCookie(configuration: Configuration) {
  return signedCookie(configuration, "used-link");
}

/** The Set-Cookie header by which this browser remembers the link that has just signed somebody in. */
export function rememberUsedLink(
  configuration: Configuration,
  tokenHash: string,
  userId: string,
): Promise<string> {
  return usedLinkCookie(configuration).serialize({ tokenHash, userId });
}

/**
 * Whether this link has just signed in this person in this browser, so that a second press is not shown as an error.
 */
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
