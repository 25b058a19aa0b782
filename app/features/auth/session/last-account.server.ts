import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { clearSiteData } from "~/http/clear-site-data";
import { sealedCookie } from "~/http/cookies/sealed-cookie.server";
import { subjectOf } from "./sent-session.server";

/** Who was signed in here last, sealed. It says nothing to anybody else, and proves nothing. */
function lastAccountCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "last-account", z.object({ person: z.string() }));
}

/**
 * For an answer that opens a session with this access token: remembers whose it is. When it is not who
 * was here last, whose session ended without a sign-out, the browser drops what their pages kept in it.
 */
export async function noteAccount(
  context: Pick<AppContext, "configuration">,
  request: Request,
  accessToken: string,
): Promise<[name: string, value: string][]> {
  const person = subjectOf(accessToken);
  const cookie = lastAccountCookie(context);
  const last = await cookie.read(request);
  if (!person || last?.person === person) return [];
  const noted: [string, string] = ["set-cookie", await cookie.keep({ person })];
  return last ? [noted, clearSiteData] : [noted];
}
